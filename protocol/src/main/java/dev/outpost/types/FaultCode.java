package dev.outpost.types;

/** Failures that programs handle by themselves. Texts of exceptions may change. A code keeps its meaning, also between versions. */
public enum FaultCode {
    /** No code describes the failure. Only the message does. */
    NONE,
    /** The requested object does not exist, such as a file of a source. */
    NOT_FOUND,
    /** An exchange of a group failed because a member is missing, and no later exchange succeeds. */
    GROUP_BROKEN;

    private static final FaultCode[] BY_NUMBER = values();

    /** Returns the number on the wire. */
    public int number() {
        return ordinal();
    }

    /** Returns the code of a number; {@link #NONE} for a number of a newer version. */
    public static FaultCode ofNumber(int number) {
        return number < 0 || number >= BY_NUMBER.length ? NONE : BY_NUMBER[number];
    }
}
