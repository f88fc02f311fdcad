package dev.outpost.backend.fleet.loop;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/** Repeats some work on a virtual thread: after each period, and soon after a wakeup. Thread-safe. */
public final class ReconcileLoop implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ReconcileLoop.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The time that is added to three periods. A loop that finishes no run within this total counts as silent. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    private static final int OUT_OF_MEMORY = 3;

    private final String name;
    private final Duration period;
    private final Runnable work;
    private final LongSupplier nanos;
    private final Semaphore wakeups = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    private volatile long lastRun;
    private volatile Optional<String> failure = Optional.empty();

    /** @param work the work; a failure is logged, and the work is repeated after the period */
    public ReconcileLoop(String name, Duration period, Runnable work) {
        this(name, period, work, System::nanoTime);
    }

    /** @param nanos a monotonic clock, by which {@link #silence} is measured */
    ReconcileLoop(String name, Duration period, Runnable work, LongSupplier nanos) {
        this.name = name;
        this.period = period;
        this.work = work;
        this.nanos = nanos;
        this.lastRun = nanos.getAsLong();
        this.thread = Thread.ofVirtual().name("outpost-" + name).unstarted(this::run);
    }

    public ReconcileLoop start() {
        lastRun = nanos.getAsLong();
        thread.start();
        return this;
    }

    public String name() {
        return name;
    }

    public void wake() {
        wakeups.release();
    }

    /** Returns the time since the last run ended, if it is too long. Then the run hangs, or the thread has ended. */
    public Optional<Duration> silence() {
        Duration silent = Duration.ofNanos(nanos.getAsLong() - lastRun);
        return !closed && silent.compareTo(period.multipliedBy(3).plus(SLACK)) > 0
                ? Optional.of(silent)
                : Optional.empty();
    }

    /** Returns the reason why the last run failed; empty if it succeeded. */
    public Optional<String> failure() {
        return failure;
    }

    private void run() {
        while (!closed) {
            if (runOnce()) {
                pause();
            } else {
                pauseAfterFailure();
            }
        }
    }

    /**
     * Returns true if the work succeeded. An {@link Error} is a failure like any other, except a lack of memory, which ends the process.
     */
    private boolean runOnce() {
        try {
            wakeups.drainPermits();
            work.run();
            failure = Optional.empty();
            return true;
        } catch (OutOfMemoryError ignored) {
            Runtime.getRuntime().halt(OUT_OF_MEMORY);
            return false;
        } catch (RuntimeException exception) {
            LOG.warnf("%s: %s; it is tried again in %s", name, exception, period);
            LOG.debug(name, exception);
            failure = Optional.of(exception.toString());
            return false;
        } catch (Error exception) {
            LOG.errorf(exception, "%s: a defect; it is tried again in %s", name, period);
            failure = Optional.of(exception.toString());
            return false;
        } finally {
            lastRun = nanos.getAsLong();
        }
    }

    private void pause() {
        try {
            boolean ignored = wakeups.tryAcquire(period.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /**
     * Waits for the whole period. Wakeups do not shorten the wait, because failing work would then be retried without
     * a pause. {@link #stop} ends it.
     */
    private void pauseAfterFailure() {
        long end = System.nanoTime() + period.toNanos();
        try {
            while (!closed && System.nanoTime() < end) {
                boolean ignored = wakeups.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /** Prevents further runs. Does not wait for the present run. */
    public void stop() {
        closed = true;
        wake();
    }

    /** Stops, and waits for the present run. */
    @Override
    public void close() {
        stop();
        try {
            if (!thread.join(TIMEOUT)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
