package dev.outpost.simulated.kubernetes.control;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs a pass over the cluster after each change and when one is due, one pass at a time. A failure of a pass is a defect of the
 * simulation. It is logged at once, and {@link #close} throws it.
 */
public final class ControlLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlLoop.class.getName());
    private static final Duration NOTHING_DUE = Duration.ofDays(1);

    private final Semaphore occasions = new Semaphore(1);
    private final Supplier<Optional<Duration>> pass;
    private final Thread thread;
    private volatile Throwable failure;

    /** @param pass returns the real time until the next pass is due */
    public ControlLoop(String name, Supplier<Optional<Duration>> pass) {
        this.pass = pass;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Requests a pass. Does not wait. */
    public void poke() {
        occasions.release();
    }

    private void run() {
        Duration due = NOTHING_DUE;
        try {
            while (true) {
                occasions.tryAcquire(due.toNanos(), TimeUnit.NANOSECONDS);
                occasions.drainPermits();
                due = pass.get().orElse(NOTHING_DUE);
            }
        } catch (InterruptedException interrupted) {
            // Closing this object interrupts the thread.
        } catch (RuntimeException | Error exception) {
            failure = exception;
            LOG.log(System.Logger.Level.ERROR, thread.getName() + " broke, and does nothing any more", exception);
        }
    }

    /** Ends it, and throws an earlier failure. */
    @Override
    public void close() {
        thread.interrupt();
        if (failure != null) {
            throw new IllegalStateException(thread.getName() + " broke", failure);
        }
    }
}
