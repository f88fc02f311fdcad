package dev.outpost.provider.fleet;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The memory and lifetime of a machine. If the memory is empty, the supplier's settings decide. If no time is set, the machine lives
 * until it is ended.
 *
 * @param memoryBytes the host memory of the machine's process
 * @param lease the machine ends after this time without any client, counted from when it is ready
 * @param idle the machine ends after this time without an instruction, counted from when it is ready
 * @param life the machine ends after this time, even while it is used
 */
public record MachineBounds(
        OptionalLong memoryBytes, Optional<Duration> lease, Optional<Duration> idle, Optional<Duration> life) {

    /** The supplier's default memory, and no limit of the lifetime. */
    public static final MachineBounds NONE =
            new MachineBounds(OptionalLong.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public MachineBounds {
        Objects.requireNonNull(memoryBytes, "memoryBytes");
        if (memoryBytes.isPresent() && memoryBytes.getAsLong() < 1) {
            throw new IllegalArgumentException("memory: expected 1 byte or more, got " + memoryBytes.getAsLong());
        }
        requirePositive("lease", lease);
        requirePositive("idle", idle);
        requirePositive("life", life);
    }

    public MachineBounds withMemoryBytes(long bytes) {
        return new MachineBounds(OptionalLong.of(bytes), lease, idle, life);
    }

    public MachineBounds withLease(Duration time) {
        return new MachineBounds(memoryBytes, Optional.of(time), idle, life);
    }

    public MachineBounds withIdle(Duration time) {
        return new MachineBounds(memoryBytes, lease, Optional.of(time), life);
    }

    public MachineBounds withLife(Duration time) {
        return new MachineBounds(memoryBytes, lease, idle, Optional.of(time));
    }

    private static void requirePositive(String name, Optional<Duration> bound) {
        bound.filter(time -> !time.isPositive()).ifPresent(time -> {
            throw new IllegalArgumentException(name + ": expected a time above zero, got " + time);
        });
    }
}
