package dev.outpost.runtime.engine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a device's engine.
 *
 * @param kernels the folder in which compiled kernels are kept between processes; if empty, they are not kept
 * @param shortProducts true if products of float32 matrices may round their operands to 10 bits (TF32), which is faster
 * @param exchangeGraphs true if exchanges with other devices may be part of graphs of kernels
 */
public record EngineSettings(Optional<Path> kernels, boolean shortProducts, boolean exchangeGraphs) {
    /** Keeps no kernels, does not round operands, and allows exchanges in graphs. */
    public static final EngineSettings DEFAULT = new EngineSettings(Optional.empty(), false, true);

    /** Returns {@link #DEFAULT} with a folder for compiled kernels. */
    public static EngineSettings withKernels(Path folder) {
        return new EngineSettings(Optional.of(folder), false, true);
    }
}
