package dev.outpost.runtime.engine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a device's engine.
 *
 * @param kernels the folder in which compiled kernels are kept from one process to the next; none where it is empty
 * @param shortProducts whether products of float32 matrices may round their operands to 10 bits (TF32), which is faster
 */
public record EngineSettings(Optional<Path> kernels, boolean shortProducts) {
    /** Nothing kept, nothing rounded. */
    public static final EngineSettings DEFAULT = new EngineSettings(Optional.empty(), false);
}
