package dev.outpost.gpucheck.machine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How much is checked and measured.
 *
 * @param parity the folder of the parity pack; empty where there is none
 * @param machines on how many machines its cases are computed at once
 * @param firstSeed of the first random program; the next have the next numbers
 * @param sizes of what is measured
 * @param repeatTime how long each measurement is repeated
 * @param gpus how many GPUs compute as a group; all of the host where it is empty
 */
public record CheckLimits(
        Optional<Path> parity, int machines, long firstSeed, WorkSizes sizes, Duration repeatTime, OptionalInt gpus) {

    /** Of a GPU. */
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
