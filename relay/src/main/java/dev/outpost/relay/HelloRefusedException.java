package dev.outpost.relay;

/** Thrown if a connection is not passed on. It has no stack trace, because strangers can cause it at any rate. */
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
