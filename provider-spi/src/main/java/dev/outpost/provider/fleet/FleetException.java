package dev.outpost.provider.fleet;

/** A fleet did not do what it was asked. The message says what and why, and names the remedy where there is one. */
public final class FleetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The meaning of a failure for the caller. */
    public enum Kind {
        /** The supplier did not answer, or has trouble: the same call may succeed later. */
        UNAVAILABLE,

        /** The supplier will not do it, however often it is asked: a missing right, a name that another installation has. */
        REFUSED,

        /** There is no machine of that name. */
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

    /** Whether the same call may succeed later. */
    public boolean isRetryable() {
        return kind == Kind.UNAVAILABLE;
    }
}
