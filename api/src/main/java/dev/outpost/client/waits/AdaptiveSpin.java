package dev.outpost.client.waits;

import dev.outpost.channel.client.SpinWaiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How a program waits for its machine: {@linkplain SpinWaiter awake} where most of the latest waits were over within a moment, as
 * they are when a machine nearby has little to compute. What takes longer gains nothing by that, so then the thread sleeps at
 * once.
 */
public final class AdaptiveSpin {
    /** To be woken takes 0.1 or 0.2 ms in all, a tenth of this. */
    static final long MOMENT_NANOS = 2_000_000;

    static final int REMEMBERED = 8;

    /** As {@link SpinWaiter#keep}. */
    public interface Watch {
        void keep(BooleanSupplier holds, long nanos);
    }

    private final Watch watch;
    private final LongSupplier clock;
    /** The latest waits, a bit each: whether it was over within a moment. */
    private int moments;

    public AdaptiveSpin(Watch watch, LongSupplier clock) {
        this.watch = watch;
        this.clock = clock;
    }

    public static AdaptiveSpin ofProgram() {
        return new AdaptiveSpin(SpinWaiter.ofProgram()::keep, System::nanoTime);
    }

    /**
     * The coming value, when it is there.
     *
     * @param check called each time when so many nanoseconds have passed in vain
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

    /** Waits until something holds, by what sleeps until then. */
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

    /** The answer is when the wait began. */
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
