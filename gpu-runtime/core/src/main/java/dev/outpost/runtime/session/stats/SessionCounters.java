package dev.outpost.runtime.session.stats;

import dev.outpost.runtime.session.schedule.Counter;

/** The work of a session. Written by its worker, apart from the traffic; read by anyone. */
public final class SessionCounters {
    public final Counter segments = new Counter();
    public final Counter kernels = new Counter();
    public final Counter engineNanos = new Counter();
    public final Counter turnWaitNanos = new Counter();
    public final Counter plansMade = new Counter();

    public Work work(Traffic traffic) {
        return new Work(
                segments.get(), kernels.get(), engineNanos.get(), turnWaitNanos.get(), plansMade.get(), traffic);
    }
}
