package dev.outpost.client;

import java.util.function.LongSupplier;

/**
 * Whether an optimizer's step waits for the one before it, so that a failure is thrown one step later at the latest. The machine
 * computes this step meanwhile, so near a machine that costs little. Far from one each step would take a round trip: where most of the
 * latest waits took much longer than the machine computed, there are no more of them, and a failure is thrown when it is
 * known. Guarded by the caller.
 */
final class StepWaits {
    /** A machine is far from here whose answers take this much longer than what it computes for them. */
    static final long FAR_NANOS = 2_000_000;

    static final int REMEMBERED = 8;

    private final LongSupplier clock;
    /** The latest waits, a bit each: whether they were as from far. */
    private int far;

    private long begin;
    private long engineNanosBefore;

    StepWaits(LongSupplier clock) {
        this.clock = clock;
    }

    boolean isNear() {
        return 2 * Integer.bitCount(far) < REMEMBERED;
    }

    void begin(long engineNanos) {
        begin = clock.getAsLong();
        engineNanosBefore = engineNanos;
    }

    void end(long engineNanos) {
        long beside = clock.getAsLong() - begin - (engineNanos - engineNanosBefore);
        int latest = beside > FAR_NANOS ? 1 : 0;
        far = (far << 1 | latest) & (1 << REMEMBERED) - 1;
    }
}
