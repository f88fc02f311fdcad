package dev.outpost.runtime.engine;

import java.time.Duration;

/** Thrown if the devices of other members did not respond in time. */
public final class MissingMembersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param op the op that waited
     * @param timeout the time for which the op waited
     */
    public MissingMembersException(String op, Duration timeout) {
        super(op + ": the other members did not come within " + timeout.toMillis() + " ms");
    }
}
