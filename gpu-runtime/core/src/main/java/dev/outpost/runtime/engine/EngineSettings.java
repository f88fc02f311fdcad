package dev.outpost.runtime.engine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a device's engine.
 *
 * @param kernels the folder in which compiled kernels are kept from one process to the next; none where it is empty
 * @param shortProducts whether products of float32 matrices may round their operands to 10 bits (TF32), which is faster
 * @param exchangeGraphs whether exchanges with other devices may be part of graphs of kernels
 */
public record EngineSettings(Optional<Path> kernels, boolean shortProducts, boolean exchangeGraphs) {
    /** Nothing kept, nothing rounded, exchanges in graphs. */
    public static final EngineSettings DEFAULT = new EngineSettings(Optional.empty(), false, true);

    /** As {@link #DEFAULT}, with a folder for compiled kernels. */
    public static EngineSettings withKernels(Path folder) {
        return new EngineSettings(Optional.of(folder), false, true);
    }
}
