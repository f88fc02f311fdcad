package dev.outpost.provider.fleet;

/** A fleet could not do what it was asked. The message says what failed and why, and names the remedy if there is one. */
public final class FleetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The meaning of a failure for the caller. */
    public enum Kind {
        /** The supplier did not answer, or has trouble: the same call may succeed later. */
        UNAVAILABLE,

        /** The supplier refuses permanently: a missing permission, or a name that another installation uses. */
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
