package dev.outpost.runtime.session.schedule;

/** The use of an engine that has computed when its call returns: the time for which the session has its turn. */
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
