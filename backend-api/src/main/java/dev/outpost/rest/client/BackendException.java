package dev.outpost.rest.client;

import org.jspecify.annotations.Nullable;

/** Thrown if a backend refuses a request or does not answer. The message contains the remedy. */
public final class BackendException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final boolean retryable;
    private final int status;

    public BackendException(String code, String message, boolean retryable) {
        this(code, message, retryable, 0, null);
    }

    /** @param status the HTTP status of the answer; 0 without an answer */
    BackendException(String code, String message, boolean retryable, int status, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.retryable = retryable;
        this.status = status;
    }

    /** The stable code of the problem, such as {@code not-found}; {@code unreachable} if there was no answer. */
    public String code() {
        return code;
    }

    /** True if the same request may succeed later. */
    public boolean isRetryable() {
        return retryable;
    }

    /** Returns the HTTP status of the answer; 0 without an answer. */
    public int status() {
        return status;
    }
}
