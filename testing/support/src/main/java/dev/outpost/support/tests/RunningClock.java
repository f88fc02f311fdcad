package dev.outpost.support.tests;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock in nanoseconds that moves on only while this process runs: for bounds of the product on work, which a process that stands
 * still does not do.
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
            // Nobody asks for the time any more.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
