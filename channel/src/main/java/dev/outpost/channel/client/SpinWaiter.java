package dev.outpost.channel.client;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A thread that stays awake for something that is due any moment, and with it what brings that: to wake a thread takes tens of
 * microseconds, and an answer wakes several. It yields all the time, so whoever has work to do goes first. There is one
 * at most in a program, since it takes processors that would rest.
 */
public final class SpinWaiter {
    /** How long what was kept awake stays so: who got an answer often asks again. */
    static final long LINGER_NANOS = 200_000;

    private static final SpinWaiter OF_PROGRAM =
            new SpinWaiter(Runtime.getRuntime().availableProcessors(), System::nanoTime);

    private final boolean hasRoom;
    private final LongSupplier clock;
    private final AtomicBoolean kept = new AtomicBoolean();
    private volatile long endedNanos;

    SpinWaiter(int processors, LongSupplier clock) {
        this.hasRoom = processors > 1;
        this.clock = clock;
        endedNanos = clock.getAsLong() - LINGER_NANOS;
    }

    /** The one of this program. */
    public static SpinWaiter ofProgram() {
        return OF_PROGRAM;
    }

    /**
     * Stays awake until something holds, for so long at most. The answer is false, at once, where that is of no use: another
     * thread does already, there is one processor only, or the thread is a virtual one, which is woken at little cost and shares
     * its carrier with others.
     */
    public boolean keep(BooleanSupplier holds, long nanos) {
        if (!hasRoom || Thread.currentThread().isVirtual() || !kept.compareAndSet(false, true)) {
            return false;
        }
        try {
            long begin = clock.getAsLong();
            while (!holds.getAsBoolean() && clock.getAsLong() - begin < nanos) {
                Thread.yield();
            }
        } finally {
            endedNanos = clock.getAsLong();
            kept.set(false);
        }
        return true;
    }

    /** Whether one is being kept, or was a moment ago. */
    boolean isKept() {
        return kept.get() || clock.getAsLong() - endedNanos < LINGER_NANOS;
    }
}
