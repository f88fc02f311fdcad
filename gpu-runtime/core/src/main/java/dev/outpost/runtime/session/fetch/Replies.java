package dev.outpost.runtime.session.fetch;

import dev.outpost.runtime.engine.Completion;

/** Tells a session's client what has happened, in the order in which the worker asked for it. */
public interface Replies {
    /**
     * Sends a reply once something is done, and all replies before are sent. Where too many wait, so does this. Called by the worker.
     */
    void after(Completion completion, Reply reply) throws InterruptedException;

    /** Whether replies are sent before {@link #after} returns, by the worker itself. */
    boolean areImmediate();

    /** Whether some wait for what they tell of. Anyone may ask. */
    boolean areAnyWaiting();

    /** Waits until all are sent. Called by the worker. */
    void finish() throws InterruptedException;

    /** Drops what was not sent. Called by the worker. */
    void close();
}
