package dev.outpost;

/**
 * How a program that was traced is run.
 *
 * @param stack how many runs what they emit has room for in a tensor on the machine; 0 where it is sent home
 */
record TracedMode(Kind kind, long stack) {
    enum Kind {
        CALL,
        SCAN,
        SCAN_UNTIL
    }

    static final TracedMode CALL = new TracedMode(Kind.CALL, 0);

    boolean isCall() {
        return kind == Kind.CALL;
    }

    boolean isConditional() {
        return kind == Kind.SCAN_UNTIL;
    }

    boolean stacks() {
        return stack > 0;
    }
}
