package dev.outpost.system.k8s.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what a cluster does by itself. */
public final class Await {
    /** More than a kubelet gives a container to end. */
    private static final Duration PATIENCE = Timings.ofThisRun().patience().plusSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(5);

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        present(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** The value as soon as it is there. */
    public static <T> T present(String what, Supplier<Optional<T>> look) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Optional<T> found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
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
