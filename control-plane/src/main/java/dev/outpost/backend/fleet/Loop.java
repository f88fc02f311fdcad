package dev.outpost.backend.fleet;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Does something again and again on a virtual thread: after each period, and soon when it is woken. */
public final class Loop implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Loop.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final Duration period;
    private final Runnable work;
    private final Semaphore wakeups = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;

    /** @param work what is done; a failure of it is logged, and it is done again after the period */
    public Loop(String name, Duration period, Runnable work) {
        this.name = name;
        this.period = period;
        this.work = work;
        this.thread = Thread.ofVirtual().name("outpost-" + name).unstarted(this::run);
    }

    public Loop start() {
        thread.start();
        return this;
    }

    public void wake() {
        wakeups.release();
    }

    private void run() {
        while (!closed) {
            try {
                wakeups.drainPermits();
                work.run();
            } catch (RuntimeException failed) {
                LOG.warnf("%s: %s; it is tried again in %s", name, failed, period);
                LOG.debug(name, failed);
                pauseAfterFailure();
                continue;
            }
            pause();
        }
    }

    private void pause() {
        try {
            boolean ignored = wakeups.tryAcquire(period.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /** Wakeups do not count, or what fails would be tried without a pause; but a stop does. */
    private void pauseAfterFailure() {
        long end = System.nanoTime() + period.toNanos();
        try {
            while (!closed && System.nanoTime() < end) {
                boolean ignored = wakeups.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /** Finishes work that is under way, and begins none after it; does not wait for that. */
    public void stop() {
        closed = true;
        wake();
    }

    /** Stops, and returns when the work that is under way is done. */
    @Override
    public void close() {
        stop();
        try {
            if (!thread.join(PATIENCE)) {
                thread.interrupt();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
