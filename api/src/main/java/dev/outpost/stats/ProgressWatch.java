package dev.outpost.stats;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reports the progress of loads to a listener repeatedly until it is closed, and then once more. */
public final class ProgressWatch implements AutoCloseable {
    private final Supplier<LoadStats> ask;
    private final Consumer<LoadStats> listener;
    private final long everyNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    public ProgressWatch(Supplier<LoadStats> ask, Duration every, Consumer<LoadStats> listener) {
        this.ask = ask;
        this.listener = listener;
        this.everyNanos = every.toNanos();
        this.thread = Thread.ofVirtual().name("outpost-progress").start(this::run);
    }

    private void run() {
        LoadStats before = null;
        boolean isOver = false;
        while (!isOver) {
            try {
                isOver = closed.await(everyNanos, TimeUnit.NANOSECONDS);
                LoadStats now = ask.get();
                if (!now.equals(before)) {
                    listener.accept(now);
                    before = now;
                }
            } catch (InterruptedException interrupted) {
                return;
            } catch (RuntimeException ignored) {
                // The machine is gone, or the listener fails. The load itself reports the reason.
                return;
            }
        }
    }

    /** Waits for the last call of the listener. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
