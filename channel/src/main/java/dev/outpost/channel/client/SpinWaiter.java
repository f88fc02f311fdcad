package dev.outpost.channel.client;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Lets a thread poll for a result that is due any moment, and keeps the event loops polling too. Waking a thread takes tens of
 * microseconds, and an answer would wake several threads. The polling thread yields all the time, so threads with work run first. At most
 * one thread of a program spins, because spinning keeps processors busy.
 */
public final class SpinWaiter {
    /**
     * The time in nanoseconds for which the loops continue to poll after the end of a spin, because a client often asks again after an
     * answer.
     */
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

    /** Returns the only instance of this program. */
    public static SpinWaiter ofProgram() {
        return OF_PROGRAM;
    }

    /**
     * Spins until the condition holds, at most for the given time. Returns false immediately if spinning is of no use: another thread
     * already spins, only one processor exists, or this thread is virtual (it is woken quickly, and spinning would occupy its carrier).
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

    /** Returns true if a thread spins, or did a moment ago. */
    boolean isKept() {
        return kept.get() || clock.getAsLong() - endedNanos < LINGER_NANOS;
    }
}
