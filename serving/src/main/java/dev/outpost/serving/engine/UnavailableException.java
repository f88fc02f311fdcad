package dev.outpost.serving.engine;

import java.time.Duration;

/** Thrown if no machine has the model at present. */
public final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    public UnavailableException(String message, Duration retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
