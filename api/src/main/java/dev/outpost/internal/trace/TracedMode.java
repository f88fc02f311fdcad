package dev.outpost.internal.trace;

/**
 * How a program that was traced is run.
 *
 * @param stack how many runs what they emit has room for in a tensor on the machine; 0 where it is sent home
 */
public record TracedMode(Kind kind, long stack) {
    public enum Kind {
        CALL,
        SCAN,
        SCAN_UNTIL
    }

    public static final TracedMode CALL = new TracedMode(Kind.CALL, 0);

    public boolean isCall() {
        return kind == Kind.CALL;
    }

    public boolean isConditional() {
        return kind == Kind.SCAN_UNTIL;
    }

    public boolean stacks() {
        return stack > 0;
    }
}
