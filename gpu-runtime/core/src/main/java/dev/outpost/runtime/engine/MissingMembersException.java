package dev.outpost.runtime.engine;

import java.time.Duration;

/** The devices of other members did not come in time. */
public final class MissingMembersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param op what was waited for
     * @param timeout how long
     */
    public MissingMembersException(String op, Duration timeout) {
        super(op + ": the other members did not come within " + timeout.toMillis() + " ms");
    }
}
