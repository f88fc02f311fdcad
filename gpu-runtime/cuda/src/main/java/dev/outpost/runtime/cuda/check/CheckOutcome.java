package dev.outpost.runtime.cuda.check;

/** The outcome of a check. */
public enum CheckOutcome {
    /** The component exists and works. */
    OK,
    /** The component is missing. */
    ABSENT,
    /** The component was not checked, because another component that it needs is missing. */
    SKIPPED,
    /** The component exists but does not work. */
    FAILED
}
