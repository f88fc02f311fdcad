package dev.outpost.types;

/** The kinds of failures, by where the remedy lies. The names are stable on the wire and in logs. */
public enum FaultKind {
    /** The program asked for something that cannot be: shapes that do not fit, an index out of bounds. */
    USER,
    /** The request was sound but the machine has no room or no quota for it. */
    RESOURCES,
    /** Outpost itself is wrong: a defect. */
    INTERNAL,
    /** The world outside failed: a network, a cluster, a machine that went away. */
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
