package dev.outpost.gpucheck.machine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The amount of checks and measurements.
 *
 * @param parity the folder of the parity pack; empty for none
 * @param machines the number of machines that compute its cases concurrently
 * @param firstSeed the seed of the first random program; later programs have the following numbers
 * @param sizes the sizes of the measured works
 * @param repeatTime the time for which each measurement is repeated
 * @param gpus the number of GPUs that compute as a group; if empty, all GPUs of the host
 */
public record CheckLimits(
        Optional<Path> parity, int machines, long firstSeed, WorkSizes sizes, Duration repeatTime, OptionalInt gpus) {

    /** The limits for a GPU. */
    public static CheckLimits ofGpu(Optional<Path> parity, long firstSeed, OptionalInt gpus) {
        return new CheckLimits(
                parity,
                Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 8),
                firstSeed,
                WorkSizes.GPU,
                Duration.ofMillis(500),
                gpus);
    }
}
