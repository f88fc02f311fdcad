package dev.outpost.ops;

import dev.outpost.Tensor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distinct elements or slices of a tensor.
 *
 * @param values each element, or slice, once
 * @param inverse for each element or slice of the input, where it is in {@code values} (int64); null if not asked for
 * @param counts how often each one was there (int64); null if not asked for
 */
public record UniqueResult(
        Tensor values, @Nullable Tensor inverse, @Nullable Tensor counts) {
    /** Those that were asked for, in this order. */
    public List<@Nullable Tensor> tensors() {
        return Arrays.asList(values, inverse, counts);
    }
}
