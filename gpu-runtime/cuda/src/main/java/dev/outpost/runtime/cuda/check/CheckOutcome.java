package dev.outpost.runtime.cuda.check;

/** How a check went. */
public enum CheckOutcome {
    /** It is there and works. */
    OK,
    /** It is not there. */
    ABSENT,
    /** It was not checked, because something that it needs is not there. */
    SKIPPED,
    /** It is there and does not work. */
    FAILED
}
