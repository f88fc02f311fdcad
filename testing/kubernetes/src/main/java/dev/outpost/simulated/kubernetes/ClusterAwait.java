package dev.outpost.simulated.kubernetes;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for events that a cluster causes. A wait that takes too long fails the test. */
public final class ClusterAwait {
    /** A time longer than any operation of a simulated cluster, including the end of a container. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private static final Duration PAUSE = Duration.ofMillis(5);

    private ClusterAwait() {}

    /** Waits until the condition holds. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, TIMEOUT, condition);
    }

    /** Does the same with another time limit. */
    public static void until(String what, Duration atMost, BooleanSupplier condition) {
        present(what, atMost, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** Waits until a value exists, and returns it. */
    public static <T> T present(String what, Supplier<Optional<T>> look) {
        return present(what, TIMEOUT, look);
    }

    /** Does the same with another time limit. */
    public static <T> T present(String what, Duration atMost, Supplier<Optional<T>> look) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            // The clock is read before the check, so that the last check begins after the deadline, even if a check
            // takes long.
            boolean isLast = System.nanoTime() > deadline;
            Optional<T> found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (isLast) {
                throw new AssertionError("not within " + atMost.toSeconds() + " s: " + what);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
