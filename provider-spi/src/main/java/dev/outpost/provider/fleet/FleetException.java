package dev.outpost.provider.fleet;

/**
 * Thrown if a fleet could not carry out a request. The message says what failed and why, and names the remedy if
 * there is one.
 */
public final class FleetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kind of a failure, for the caller's decision whether to retry. */
    public enum Kind {
        /** The supplier did not answer or has a temporary problem; the same call may succeed later. */
        UNAVAILABLE,

        /**
         * The supplier refuses permanently, for example because a permission is missing or another installation uses
         * the name.
         */
        REFUSED,

        /** No machine has that name. */
        NOT_FOUND
    }

    private final Kind kind;

    public FleetException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public FleetException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns true if the same call may succeed later. */
    public boolean isRetryable() {
        return kind == Kind.UNAVAILABLE;
    }
}
