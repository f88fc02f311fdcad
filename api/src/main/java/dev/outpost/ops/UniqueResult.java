package dev.outpost.ops;

import dev.outpost.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * What is left when repetitions go.
 *
 * @param values each element, or slice, once
 * @param inverse for each element or slice of the input, where it is in {@code values} (int64); null if not asked for
 * @param counts how often each one was there (int64); null if not asked for
 */
public record UniqueResult(Tensor values, Tensor inverse, Tensor counts) {
    /** Those that were asked for, in this order. */
    public List<Tensor> tensors() {
        return Arrays.asList(values, inverse, counts);
    }
}
