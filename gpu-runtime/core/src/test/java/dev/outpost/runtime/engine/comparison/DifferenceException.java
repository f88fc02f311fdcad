package dev.outpost.runtime.engine.comparison;

/** Two engines do not compute the same. The message names the case and both answers. */
public final class DifferenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DifferenceException(String difference) {
        super(difference);
    }
}
