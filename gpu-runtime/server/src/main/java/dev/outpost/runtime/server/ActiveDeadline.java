package dev.outpost.runtime.server;

import dev.outpost.runtime.session.RuntimeTermination;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** The lifetime of a machine. It begins when the machine is ready, and ends even if the machine is in use. */
record ActiveDeadline(Duration time) {
    static ActiveDeadline of(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("outpost.runtime.end.life: expected a time above zero, got " + time);
        }
        return new ActiveDeadline(time);
    }

    /** Runs an action at the end of the time, on a daemon thread. */
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
