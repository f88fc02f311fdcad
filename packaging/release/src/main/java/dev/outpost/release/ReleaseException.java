package dev.outpost.release;

/** Thrown if a release cannot be made. The message says what to do. */
final class ReleaseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReleaseException(String message) {
        super(message);
    }
}
