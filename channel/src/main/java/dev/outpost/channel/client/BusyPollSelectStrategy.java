package dev.outpost.channel.client;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Has an event loop look again and again for what comes next, as long as somebody keeps {@linkplain SpinWaiter awake}, in place of
 * sleeping. For one loop, and called by it alone.
 */
final class BusyPollSelectStrategy implements SelectStrategy {
    /** A loop that finds nothing for so long is not the one that brings what the spin waits for. */
    static final long TIMEOUT_NANOS = 2_000_000;

    private final SpinWaiter spinWaiter;
    private final LongSupplier clock;
    private boolean isIdle;
    private long idleSinceNanos;

    BusyPollSelectStrategy(SpinWaiter spinWaiter, LongSupplier clock) {
        this.spinWaiter = spinWaiter;
        this.clock = clock;
    }

    @Override
    public int calculateStrategy(IntSupplier ready, boolean hasTasks) throws Exception {
        if (!hasTasks && !spinWaiter.isKept()) {
            isIdle = false;
            return SELECT;
        }
        int count = ready.get();
        if (hasTasks || count > 0) {
            isIdle = false;
            return count;
        }
        return lookAgain();
    }

    private int lookAgain() {
        long now = clock.getAsLong();
        if (!isIdle) {
            isIdle = true;
            idleSinceNanos = now;
        }
        if (now - idleSinceNanos >= TIMEOUT_NANOS) {
            isIdle = false;
            return SELECT;
        }
        Thread.yield();
        // Not 0: NIO's loop counts those, and takes a selector that finds nothing for a broken one.
        return CONTINUE;
    }
}
