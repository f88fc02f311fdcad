package dev.outpost;

import dev.outpost.types.TensorType;
import java.util.List;

/**
 * A program that can be called by HTTP.
 *
 * @param name the name by which it is called
 * @param inputs the types of its inputs; where calls are batched, of one row
 * @param outputs the types of what it answers, likewise
 * @param maxRows how many rows of several calls are computed together; 0 where calls are not batched, since rows depend on each
 *     other or the function takes one number of them only
 */
public record PublishedProgram(String name, List<TensorType> inputs, List<TensorType> outputs, int maxRows) {
    public PublishedProgram {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** Whether calls have any number of rows, and are computed together. */
    public boolean isBatched() {
        return maxRows > 0;
    }
}
