package dev.outpost.client.waits;

/**
 * Decides whether an optimizer's step waits for the step before it, so that a failure is thrown at most one step
 * later. The machine computes the present step during the wait, so waiting costs little with a near machine. With a
 * far machine each step would take a round trip. So if most of the latest waits took much longer than the machine
 * computed, steps no longer wait, and a failure is thrown when it is known. Thread-safe.
 */
public final class StepWaits {
    /** A machine is far if a wait takes this much longer than the machine computes, in nanoseconds. */
    static final long FAR_NANOS = 2_000_000;

    static final int REMEMBERED = 8;

    /** The latest waits, one bit each: 1 if the machine seemed far. */
    private int far;

    public synchronized boolean isNear() {
        return 2 * Integer.bitCount(far) < REMEMBERED;
    }

    /** Records a finished wait.
     *
     * @param nanos the time of the wait
     * @param engineNanos the time that the machine computed meanwhile
     */
    public synchronized void waited(long nanos, long engineNanos) {
        int latest = nanos - engineNanos > FAR_NANOS ? 1 : 0;
        far = (far << 1 | latest) & (1 << REMEMBERED) - 1;
    }
}
