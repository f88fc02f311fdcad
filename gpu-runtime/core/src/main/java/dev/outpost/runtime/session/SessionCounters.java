package dev.outpost.runtime.session;

/** What a session has done. Written by its worker, apart from the traffic; read by anyone. */
final class SessionCounters {
    final Counter segments = new Counter();
    final Counter kernels = new Counter();
    final Counter engineNanos = new Counter();
    final Counter turnWaitNanos = new Counter();
    final Counter plansMade = new Counter();

    Work work(Traffic traffic) {
        return new Work(
                segments.get(), kernels.get(), engineNanos.get(), turnWaitNanos.get(), plansMade.get(), traffic);
    }
}
