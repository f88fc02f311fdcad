package dev.outpost.runtime.session.fetch;

import dev.outpost.runtime.engine.Completion;

/** Sends replies to a session's client, in the order in which the worker thread adds them. */
public interface Replies {
    /**
     * Sends a reply once the completion is done and all earlier replies are sent. Waits if too many replies wait.
     * Called by the worker thread.
     */
    void after(Completion completion, Reply reply) throws InterruptedException;

    /** Returns true if the worker thread itself sends replies before {@link #after} returns. */
    boolean areImmediate();

    /** Returns true if a reply still waits for the device. Callable from any thread. */
    boolean areAnyWaiting();

    /** Waits until all replies are sent. Called by the worker thread. */
    void finish() throws InterruptedException;

    /** Drops the replies that were not sent. Called by the worker thread. */
    void close();
}
