package dev.outpost;

import dev.outpost.types.TensorType;
import java.util.List;

/**
 * A program that clients can call by HTTP.
 *
 * @param name the name in its URL
 * @param inputs the types of its inputs; for a batched program, the types of one row
 * @param outputs the types of its outputs; for a batched program, the types of one row
 * @param maxRows the largest number of rows, from several calls, that are computed together; 0 if calls are not batched, because rows
 *     depend on each other or the function accepts only one number of rows
 */
public record PublishedProgram(String name, List<TensorType> inputs, List<TensorType> outputs, int maxRows) {
    public PublishedProgram {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** True if a call may have any number of rows. Rows of several calls are then computed together. */
    public boolean isBatched() {
        return maxRows > 0;
    }
}
