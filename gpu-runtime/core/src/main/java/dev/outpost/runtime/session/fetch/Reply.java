package dev.outpost.runtime.session.fetch;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** Something that a client is to be told, once what it tells of has happened. */
@FunctionalInterface
public interface Reply {
    /** It has happened; may wait for room on a lane. */
    void send() throws InterruptedException;

    /** It will not happen, since the device failed. */
    default void fail(Throwable problem) throws InterruptedException {
        throw new OutpostException(FaultKind.EXTERNAL, "the machine's device failed: " + problem.getMessage(), problem);
    }

    /** The session is over: neither of the others is called. Must not block. */
    default void drop() {}
}
