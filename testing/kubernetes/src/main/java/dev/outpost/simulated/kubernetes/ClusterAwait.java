package dev.outpost.simulated.kubernetes;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for events that a cluster causes by itself. A wait that takes too long fails the test. */
public final class ClusterAwait {
    /** Longer than a simulated cluster takes for anything, the end of a container included. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private static final Duration PAUSE = Duration.ofMillis(5);

    private ClusterAwait() {}

    /** Waits until the condition holds. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, TIMEOUT, condition);
    }

    /** As above, with a bound of the caller's. */
    public static void until(String what, Duration atMost, BooleanSupplier condition) {
        present(what, atMost, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** Waits until there is a value, and returns it. */
    public static <T> T present(String what, Supplier<Optional<T>> look) {
        return present(what, TIMEOUT, look);
    }

    /** As above, with a bound of the caller's. */
    public static <T> T present(String what, Duration atMost, Supplier<Optional<T>> look) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            // Read before looking, so that the last look is after the deadline even where a look takes long.
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
