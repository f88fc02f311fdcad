package dev.outpost.relay;

/** A connection is not passed on. Without a stack: strangers cause it as often as they like. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final Refusal refusal;

    RefusedException(Refusal refusal) {
        super(refusal.name(), null, false, false);
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}
