package dev.outpost.runtime.server;

import dev.outpost.runtime.session.RuntimeTermination;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** The time that a machine was given, from when it is ready, whoever uses it. */
record ActiveDeadline(Duration time) {
    static ActiveDeadline of(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("outpost.runtime.end.life: expected a time above zero, got " + time);
        }
        return new ActiveDeadline(time);
    }

    /** Tells when it is over, on a thread of its own that holds up no end. */
    void onEnd(Consumer<RuntimeTermination> action) {
        Thread.ofPlatform().daemon().name("outpost-life").start(() -> await(action));
    }

    private void await(Consumer<RuntimeTermination> action) {
        try {
            Thread.sleep(time);
            action.accept(
                    new RuntimeTermination(RuntimeTermination.Kind.EXPIRED, "its life of " + text() + " was over"));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String text() {
        return time.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
