package dev.outpost.provider;

import java.nio.file.Path;
import java.util.List;

/**
 * A program that is to be published.
 *
 * @param name the name by which it is called, of lower-case letters, digits and inner dashes
 * @param file what it is, which is read until the publication is over
 * @param inputs the dtypes and shapes of its inputs, such as {@code float32[1, 4]}
 * @param outputs those of what it answers
 * @param maxRows how many rows are computed at once; 0 where rows are not independent of each other
 */
public record ProgramPackage(String name, Path file, List<String> inputs, List<String> outputs, int maxRows) {
    public ProgramPackage {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }
}
