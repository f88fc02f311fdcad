package dev.outpost.types;

/** The kinds of failures, by the party that can remedy them. The names are stable on the wire and in logs. */
public enum FaultKind {
    /** The program requested something impossible: shapes that do not fit, an index out of bounds. */
    USER,
    /** The request was valid, but the machine has no memory or quota for it. */
    RESOURCES,
    /** Outpost itself has a defect. */
    INTERNAL,
    /** Something outside of Outpost failed: a network, a cluster, or a lost machine. */
    EXTERNAL;

    private static final FaultKind[] BY_CODE = values();

    public int code() {
        return ordinal();
    }

    public static FaultKind ofCode(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new MalformedException("fault kind " + code + " is unknown");
        }
        return BY_CODE[code];
    }
}
