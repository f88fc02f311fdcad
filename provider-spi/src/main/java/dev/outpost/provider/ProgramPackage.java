package dev.outpost.provider;

import java.nio.file.Path;
import java.util.List;

/**
 * A program to publish.
 *
 * @param name the name by which it is called, of lower-case letters, digits and inner dashes
 * @param file the file of the program, which is read until the publication has ended
 * @param inputs the dtypes and shapes of its inputs, such as {@code float32[1, 4]}
 * @param outputs the dtypes and shapes of its outputs
 * @param maxRows the maximum number of rows in one computation; 0 if rows depend on each other
 */
public record ProgramPackage(String name, Path file, List<String> inputs, List<String> outputs, int maxRows) {
    public ProgramPackage {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }
}
