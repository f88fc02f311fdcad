package dev.outpost.relay;

/** A connection is not passed on. Without a stack: strangers cause it as often as they like. */
final class HelloRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final RefusalReason refusal;

    HelloRefusedException(RefusalReason refusal) {
        super(refusal.name(), null, false, false);
        this.refusal = refusal;
    }

    RefusalReason refusal() {
        return refusal;
    }
}
