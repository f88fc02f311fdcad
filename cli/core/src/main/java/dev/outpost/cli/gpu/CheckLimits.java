package dev.outpost.cli.gpu;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How much is checked and measured.
 *
 * @param parity the folder of the parity pack; empty where there is none
 * @param machines on how many machines its cases are computed at once
 * @param parityTime how long its cases may take; what is left then is left out
 * @param randomTime how long random programs may take
 * @param firstSeed of the first random program; the next have the next numbers
 * @param sizes of what is measured
 * @param repeatTime how long each measurement is repeated
 * @param peerTime how long PyTorch may take for all that it is measured by
 */
public record CheckLimits(
        Optional<Path> parity,
        int machines,
        Duration parityTime,
        Duration randomTime,
        long firstSeed,
        WorkSizes sizes,
        Duration repeatTime,
        Duration peerTime) {

    /**
     * Of a GPU: all is done in ten minutes, the engine's own checks included.
     *
     * @param share of the time that cases and PyTorch may take; 1 for all of it
     */
    public static CheckLimits ofGpu(Optional<Path> parity, long firstSeed, double share) {
        return new CheckLimits(
                parity,
                Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 8),
                seconds(90 * share),
                seconds(30 * share),
                firstSeed,
                WorkSizes.GPU,
                Duration.ofMillis(500),
                seconds(180 * share));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis((long) (1e3 * seconds));
    }
}
