package dev.outpost.channel.client;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Makes an event loop poll instead of sleeping, as long as a thread {@linkplain SpinWaiter spins}. Belongs to one loop, and only that
 * loop calls it.
 */
final class BusyPollSelectStrategy implements SelectStrategy {
    /**
     * The time without an event after which a loop stops polling, in nanoseconds. Another loop then probably receives the awaited answer.
     */
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
        // Do not return 0: NIO's event loop counts zeros, and would replace a selector that finds nothing as broken.
        return CONTINUE;
    }
}
