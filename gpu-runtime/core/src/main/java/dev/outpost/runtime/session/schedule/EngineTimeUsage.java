package dev.outpost.runtime.session.schedule;

/** The engine time that one session has used. Called under the lock of {@link EngineScheduler}. */
public interface EngineTimeUsage {
    /** Called when the session gets a time slice. */
    void begins(long now);

    /** Called when the session releases its time slice. */
    void ends(long now);

    /** Returns the use so far in nanoseconds. Never decreases. */
    long nanos(long now);
}
