package dev.outpost.ops;

import dev.outpost.Tensor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distinct elements or slices of a tensor.
 *
 * @param values each distinct element or slice
 * @param inverse for each element or slice of the input, its index in {@code values} (int64); null if not requested
 * @param counts the number of occurrences of each value (int64); null if not requested
 */
public record UniqueResult(
        Tensor values, @Nullable Tensor inverse, @Nullable Tensor counts) {
    /** Returns the results in the order of the record, with null for those that were not requested. */
    public List<@Nullable Tensor> tensors() {
        return Arrays.asList(values, inverse, counts);
    }
}
