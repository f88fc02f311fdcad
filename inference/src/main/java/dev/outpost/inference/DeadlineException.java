package dev.outpost.inference;

/** A text was not whole at its deadline. */
public final class DeadlineException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DeadlineException(int tokens) {
        super("the request's deadline is over; it has " + tokens + " tokens by now");
    }
}
