package dev.outpost.internal.trace;

/**
 * The form in which a traced program runs: as a call or as a scan.
 *
 * @param stack the number of rows, one for each run, of the machine's tensors for emitted values; 0 if emitted values
 *     are sent to the client
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
