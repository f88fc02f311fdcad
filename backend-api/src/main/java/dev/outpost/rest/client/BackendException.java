package dev.outpost.rest.client;

/** A backend refuses, or does not answer. The message is its own, and says what to do. */
public final class BackendException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final boolean retryable;

    public BackendException(String code, String message, boolean retryable) {
        super(message);
        this.code = code;
        this.retryable = retryable;
    }

    /** The stable code of the problem, such as {@code not-found}; {@code unreachable} where there was no answer. */
    public String code() {
        return code;
    }

    /** Whether the same request may succeed later. */
    public boolean isRetryable() {
        return retryable;
    }
}
