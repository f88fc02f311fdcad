package dev.outpost.system;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another process, or the collector, does. */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private Eventually() {}

    public static void that(String what, BooleanSupplier condition) {
        that(what, PATIENCE, condition);
    }

    public static void that(String what, Duration atMost, BooleanSupplier condition) {
        that(() -> what, atMost, condition);
    }

    public static void that(Supplier<String> what, Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + atMost.toMillis() + " ms: " + what.get());
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
