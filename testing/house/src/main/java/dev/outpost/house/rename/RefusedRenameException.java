package dev.outpost.house.rename;

/** A rename that would change what the code means, or cannot be found. Nothing is written. */
final class RefusedRenameException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedRenameException(String message) {
        super(message);
    }
}
