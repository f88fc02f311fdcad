package dev.outpost.runtime.session;

import dev.outpost.runtime.session.context.ActivityTracker;
import dev.outpost.runtime.session.context.RuntimeContext;
import java.util.function.Consumer;

/** Finds out when a runtime has outlived its use, and says so once. Used by the ticker alone. */
final class Expiry {
    private final Lifetime lifetime;
    private final RuntimeContext machine;
    private final Sessions sessions;
    private final Consumer<RuntimeTermination> onEnd;
    private final long start;
    private boolean told;

    /** The time runs from here. */
    Expiry(Lifetime lifetime, RuntimeContext machine, Sessions sessions, Consumer<RuntimeTermination> onEnd) {
        this.lifetime = lifetime;
        this.machine = machine;
        this.sessions = sessions;
        this.onEnd = onEnd;
        this.start = machine.now();
        machine.occupancy().heard(start);
        machine.occupancy().used(start);
    }

    /** Called every few milliseconds. */
    void tick() {
        if (told) {
            return;
        }
        ActivityTracker occupancy = machine.occupancy();
        long now = machine.now();
        if (lifetime.idle().isPresent() && sessions.isBusy()) {
            occupancy.used(now);
        }
        Lifetime current = occupancy.heard() == start ? lifetime.beforeTheFirst() : lifetime;
        current.judge(now, occupancy.heard(), occupancy.used()).ifPresent(this::tell);
    }

    private void tell(RuntimeTermination ending) {
        told = true;
        onEnd.accept(ending);
    }
}
