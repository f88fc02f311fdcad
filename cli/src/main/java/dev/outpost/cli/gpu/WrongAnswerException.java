package dev.outpost.cli.gpu;

/** A machine has computed something else than it should, or kept what it should have given back. */
final class WrongAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongAnswerException(String message) {
        super(message);
    }
}
