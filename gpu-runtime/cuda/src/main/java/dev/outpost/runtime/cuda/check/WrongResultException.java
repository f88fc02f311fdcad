package dev.outpost.runtime.cuda.check;

/** The GPU computed something else than it should. */
final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongResultException(String message) {
        super(message);
    }
}
