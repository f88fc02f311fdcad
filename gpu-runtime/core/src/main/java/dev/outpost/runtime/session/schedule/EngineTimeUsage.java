package dev.outpost.runtime.session.schedule;

/** How much of the engine's time one session has used. Asked under the lock of {@link EngineScheduler}. */
public interface EngineTimeUsage {
    /** The session has its turn from now on. */
    void begins(long now);

    /** The session has its turn no more. */
    void ends(long now);

    /** The use so far. Never falls. */
    long nanos(long now);
}
