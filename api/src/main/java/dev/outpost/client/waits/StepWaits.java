package dev.outpost.client.waits;

/**
 * Whether an optimizer's step waits for the one before it, so that a failure is thrown one step later at the latest. The machine
 * computes this step meanwhile, so near a machine that costs little. Far from one each step would take a round trip: where most of the
 * latest waits took much longer than the machine computed, there are no more of them, and a failure is thrown when it is
 * known. Thread-safe.
 */
public final class StepWaits {
    /** A machine is far from here whose answers take this much longer than what it computes for them. */
    static final long FAR_NANOS = 2_000_000;

    static final int REMEMBERED = 8;

    /** The latest waits, a bit each: whether they were as from far. */
    private int far;

    public synchronized boolean isNear() {
        return 2 * Integer.bitCount(far) < REMEMBERED;
    }

    /**
     * A wait is over.
     *
     * @param nanos how long it took
     * @param engineNanos how long the machine computed meanwhile
     */
    public synchronized void waited(long nanos, long engineNanos) {
        int latest = nanos - engineNanos > FAR_NANOS ? 1 : 0;
        far = (far << 1 | latest) & (1 << REMEMBERED) - 1;
    }
}
