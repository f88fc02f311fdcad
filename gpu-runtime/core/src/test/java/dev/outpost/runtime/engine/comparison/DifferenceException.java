package dev.outpost.runtime.engine.comparison;

/** The results of two engines differ. The message names the case and both results. */
public final class DifferenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DifferenceException(String difference) {
        super(difference);
    }
}
