package dev.outpost.serving.engine;

import java.time.Duration;

/** Thrown if the limit of compilations for one caller is reached. */
public final class TooManySchemasException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    TooManySchemasException(int max, Duration retryAfter) {
        super("the limit of new schemas is reached: " + max
                + " schemas of this caller are being compiled; try again in " + retryAfter.toSeconds() + " s");
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
