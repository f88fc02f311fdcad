package dev.outpost.rest.client;

/** A backend refuses, or does not answer. The message is its own, and says what to do. */
public final class BackendException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final boolean retryable;
    private final int status;

    public BackendException(String code, String message, boolean retryable) {
        this(code, message, retryable, 0, null);
    }

    /**
     * @param status of the answer in HTTP; 0 where there was none
     * @param cause null where there is none
     */
    BackendException(String code, String message, boolean retryable, int status, Throwable cause) {
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

    /** Returns the HTTP status of the answer; 0 if there was none. */
    public int status() {
        return status;
    }
}
