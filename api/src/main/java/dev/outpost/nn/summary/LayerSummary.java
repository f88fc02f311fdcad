package dev.outpost.nn.summary;

import dev.outpost.types.Shape;
import java.util.Optional;

/**
 * A row of a {@link ModuleSummary}.
 *
 * @param name the dotted name of the module; empty for the whole
 * @param type the class of the module
 * @param depth the number of modules around it
 * @param output the shape of its last output; empty if it was not called by {@code call}
 * @param parameters number of elements of its own parameters, without those of modules inside
 * @param bytes the bytes of its own parameters and buffers
 * @param outputBytes the bytes of its outputs in one pass
 */
public record LayerSummary(
        String name, String type, int depth, Optional<Shape> output, long parameters, long bytes, long outputBytes) {}
