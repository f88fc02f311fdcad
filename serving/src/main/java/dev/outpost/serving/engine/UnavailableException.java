package dev.outpost.serving.engine;

import java.time.Duration;

/** There is no machine with the model at present. */
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
