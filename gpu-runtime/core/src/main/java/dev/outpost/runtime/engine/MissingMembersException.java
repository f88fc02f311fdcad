package dev.outpost.runtime.engine;

import java.time.Duration;

/** The devices of other members did not come in time. */
public final class MissingMembersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param op the op that waited
     * @param timeout the time that it waited
     */
    public MissingMembersException(String op, Duration timeout) {
        super(op + ": the other members did not come within " + timeout.toMillis() + " ms");
    }
}
