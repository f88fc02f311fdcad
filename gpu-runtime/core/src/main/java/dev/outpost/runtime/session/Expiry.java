package dev.outpost.runtime.session;

import dev.outpost.runtime.session.context.ActivityTracker;
import dev.outpost.runtime.session.context.RuntimeContext;
import java.util.function.Consumer;

/** Detects the end of a runtime's lifetime, and reports it once. Used by the ticker thread alone. */
final class Expiry {
    private final Lifetime lifetime;
    private final RuntimeContext runtime;
    private final Sessions sessions;
    private final Consumer<RuntimeTermination> onEnd;
    private final long start;
    private boolean told;

    /** Starts the clock of the lifetime. */
    Expiry(Lifetime lifetime, RuntimeContext runtime, Sessions sessions, Consumer<RuntimeTermination> onEnd) {
        this.lifetime = lifetime;
        this.runtime = runtime;
        this.sessions = sessions;
        this.onEnd = onEnd;
        this.start = runtime.now();
        runtime.activity().onMessage(start);
        runtime.activity().used(start);
    }

    /** Checks the lifetime. Called every few milliseconds. */
    void tick() {
        if (told) {
            return;
        }
        ActivityTracker activity = runtime.activity();
        long now = runtime.now();
        if (lifetime.idle().isPresent() && sessions.isBusy()) {
            activity.used(now);
        }
        Lifetime current = activity.lastHeard() == start ? lifetime.beforeTheFirst() : lifetime;
        current.judge(now, activity.lastHeard(), activity.used()).ifPresent(this::report);
    }

    private void report(RuntimeTermination termination) {
        told = true;
        onEnd.accept(termination);
    }
}
