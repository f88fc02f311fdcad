package dev.outpost.inference;

/** Thrown if a text was not finished by its deadline. */
public final class DeadlineException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DeadlineException(int tokens) {
        super("the request's deadline has passed; it has " + tokens + " tokens by now");
    }
}
