package dev.outpost.support.tests;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock in nanoseconds that advances only while this process runs, for time limits of work, which stops if the process stands still.
 */
public final class RunningClock implements LongSupplier, AutoCloseable {
    private static final long MAX_NANOS_OF_A_STEP = 5_000_000;

    private final AtomicLong now = new AtomicLong(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("running-clock").start(this::run);

    @Override
    public long getAsLong() {
        return now.get();
    }

    private void run() {
        long before = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(1);
                long after = System.nanoTime();
                now.addAndGet(Math.min(after - before, MAX_NANOS_OF_A_STEP));
                before = after;
            }
        } catch (InterruptedException interrupted) {
            // The clock is not used any more.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
