package dev.outpost.ops;

import dev.outpost.Tensor;
import java.util.List;

/**
 * Elements of a dimension and their indices.
 *
 * @param values the elements
 * @param indices their indices (int64) in the dimension
 */
public record ValuesAndIndices(Tensor values, Tensor indices) {
    /** Returns both tensors. */
    public List<Tensor> tensors() {
        return List.of(values, indices);
    }
}
