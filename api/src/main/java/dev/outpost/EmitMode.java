package dev.outpost;

/** Where what the runs of a {@link Scan} emit goes. */
public enum EmitMode {
    /** Home, a run at a time while the scan goes on: {@link Scan#emissions()}. */
    STREAM,
    /** Into one tensor on the machine, a row a run: {@link Scan#stacked()}. */
    STACK
}
