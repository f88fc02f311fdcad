package dev.outpost.runtime.session.fetch;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** A message to the client about work of the device, sent when the work is done. */
@FunctionalInterface
public interface Reply {
    /** Sends the reply. Called when the work is done. May wait for room on a lane. */
    void send() throws InterruptedException;

    /** Reports a failure instead. Called if the work cannot be done, because the device failed. */
    default void fail(Throwable problem) throws InterruptedException {
        throw new OutpostException(FaultKind.EXTERNAL, "the machine's device failed: " + problem.getMessage(), problem);
    }

    /** Drops the reply. Called instead of the other methods if the session has ended. Must not block. */
    default void drop() {}
}
