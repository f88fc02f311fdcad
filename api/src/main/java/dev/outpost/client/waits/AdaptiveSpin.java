package dev.outpost.client.waits;

import dev.outpost.channel.client.SpinWaiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits of a program for its machine. The thread {@linkplain SpinWaiter spins} if most of the latest waits ended
 * within {@link #MOMENT_NANOS}, as they do if the machine is near and has little to compute. Longer waits gain
 * nothing by spinning, so then the thread sleeps at once.
 */
public final class AdaptiveSpin {
    /** The maximum time of spinning, in nanoseconds. Waking a thread takes 0.1 or 0.2 ms, a tenth of this. */
    static final long MOMENT_NANOS = 2_000_000;

    static final int REMEMBERED = 8;

    /** See {@link SpinWaiter#keep}. */
    public interface Watch {
        void keep(BooleanSupplier holds, long nanos);
    }

    private final Watch watch;
    private final LongSupplier clock;
    /** The latest waits, one bit each: 1 if the wait ended within {@link #MOMENT_NANOS}. */
    private int moments;

    public AdaptiveSpin(Watch watch, LongSupplier clock) {
        this.watch = watch;
        this.clock = clock;
    }

    public static AdaptiveSpin ofProgram() {
        return new AdaptiveSpin(SpinWaiter.ofProgram()::keep, System::nanoTime);
    }

    /**
     * Waits for a value and returns it.
     *
     * @param check called each time this many nanoseconds have passed without the value
     */
    public <T> T get(CompletableFuture<T> coming, long checkNanos, Runnable check)
            throws InterruptedException, ExecutionException {
        if (coming.isDone()) {
            return coming.get();
        }
        long begin = watch(coming::isDone);
        try {
            return sleep(coming, checkNanos, check);
        } finally {
            note(begin);
        }
    }

    private static <T> T sleep(CompletableFuture<T> coming, long checkNanos, Runnable check)
            throws InterruptedException, ExecutionException {
        while (true) {
            try {
                return coming.get(checkNanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException ignored) {
                check.run();
            }
        }
    }

    /** Waits until a condition holds: spins first if that pays, then runs {@code sleep}, which returns when it holds. */
    public void until(BooleanSupplier holds, Runnable sleep) {
        if (holds.getAsBoolean()) {
            return;
        }
        long begin = watch(holds);
        try {
            sleep.run();
        } finally {
            note(begin);
        }
    }

    /** Spins if the latest waits were brief. Returns the time when the wait began. */
    private long watch(BooleanSupplier holds) {
        long begin = clock.getAsLong();
        if (isMostlyBrief()) {
            watch.keep(() -> holds.getAsBoolean() || Thread.currentThread().isInterrupted(), MOMENT_NANOS);
        }
        return begin;
    }

    private synchronized boolean isMostlyBrief() {
        return Integer.bitCount(moments) > REMEMBERED / 2;
    }

    private synchronized void note(long begin) {
        int latest = clock.getAsLong() - begin < MOMENT_NANOS ? 1 : 0;
        moments = (moments << 1 | latest) & (1 << REMEMBERED) - 1;
    }
}
