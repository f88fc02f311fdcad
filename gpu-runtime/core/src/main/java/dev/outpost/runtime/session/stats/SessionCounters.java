package dev.outpost.runtime.session.stats;

import dev.outpost.runtime.session.schedule.SingleWriterLong;

/** The work of a session. Its worker thread writes everything but the traffic. Any thread may read. */
public final class SessionCounters {
    public final SingleWriterLong segments = new SingleWriterLong();
    public final SingleWriterLong kernels = new SingleWriterLong();
    public final SingleWriterLong engineNanos = new SingleWriterLong();
    public final SingleWriterLong turnWaitNanos = new SingleWriterLong();
    public final SingleWriterLong plansMade = new SingleWriterLong();

    public WorkCounters work(LaneTraffic traffic) {
        return new WorkCounters(
                segments.get(), kernels.get(), engineNanos.get(), turnWaitNanos.get(), plansMade.get(), traffic);
    }
}
