package dev.outpost;

/** The destination of the values that the runs of a {@link Scan} emit. */
public enum EmitMode {
    /** The client receives the values of each run while the scan runs: {@link Scan#emissions()}. */
    STREAM,
    /** The machine stacks them into one tensor with one row for each run: {@link Scan#stacked()}. */
    STACK
}
