package dev.outpost.runtime.session.schedule;

/**
 * The use of a synchronous engine, whose calls return when the work is done: the time for which the session holds a
 * time slice.
 */
public final class HeldTime implements EngineTimeUsage {
    private long usedNanos;
    private long startedNanos;
    private boolean holds;

    @Override
    public void begins(long now) {
        startedNanos = now;
        holds = true;
    }

    @Override
    public void ends(long now) {
        usedNanos = nanos(now);
        holds = false;
    }

    @Override
    public long nanos(long now) {
        return usedNanos + (holds ? now - startedNanos : 0);
    }
}
