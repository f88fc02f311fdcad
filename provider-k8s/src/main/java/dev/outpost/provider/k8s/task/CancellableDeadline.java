package dev.outpost.provider.k8s.task;

import dev.outpost.provider.support.WakeSignal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The deadline of some work, and its cancellation by the caller. */
public final class CancellableDeadline {
    private final LongSupplier nanos;
    private final long asked;
    private final Duration timeout;
    private final CountDownLatch withdrawal = new CountDownLatch(1);
    private final WakeSignal wakeSignal = new WakeSignal();

    public CancellableDeadline(Duration timeout, LongSupplier nanos) {
        this.timeout = timeout;
        this.nanos = nanos;
        this.asked = nanos.getAsLong();
    }

    /** Returns the signal that wakes the worker, for example after a change in the cluster. */
    public WakeSignal news() {
        return wakeSignal;
    }

    public Duration timeout() {
        return timeout;
    }

    public Duration elapsed() {
        return Duration.ofNanos(nanos.getAsLong() - asked);
    }

    public boolean isOver() {
        return elapsed().compareTo(timeout) >= 0;
    }

    /** Cancels the work; the worker notices it at its next step. */
    public void withdraw() {
        withdrawal.countDown();
        wakeSignal.wake();
    }

    public boolean isWithdrawn() {
        return withdrawal.getCount() == 0;
    }

    public void requireWanted() {
        if (isWithdrawn()) {
            throw new WithdrawnException();
        }
    }

    /** Waits for the given time, but not beyond the timeout. */
    public void pause(Duration atMost) {
        try {
            withdrawal.await(left(atMost).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            abandon();
        }
        requireWanted();
    }

    /** Waits like {@link #pause}, but at most until {@link #news} is signalled. */
    public void awaitNews(Duration atMost) {
        try {
            wakeSignal.await(left(atMost));
        } catch (InterruptedException interrupted) {
            abandon();
        }
        requireWanted();
    }

    private Duration left(Duration atMost) {
        Duration left = timeout.minus(elapsed());
        return left.compareTo(atMost) < 0 ? left : atMost;
    }

    /** Cancels the work after the thread was interrupted. */
    private void abandon() {
        Thread.currentThread().interrupt();
        withdraw();
    }

    /** Thrown to end work that was cancelled. */
    public static final class WithdrawnException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private WithdrawnException() {
            super("the work was cancelled");
        }
    }
}
