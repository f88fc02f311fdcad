package dev.outpost.client.waits;

import dev.outpost.client.failures.Failures;
import dev.outpost.client.failures.FaultText;
import dev.outpost.client.failures.SessionTermination;
import dev.outpost.protocol.message.Fault;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Tracks the runs of all-or-nothing updates, such as optimizer steps, that a session's machine has skipped, and waits
 * for earlier steps.
 */
public final class PendingUpdates {
    private final String machine;
    private final InFlightLimiter limiter;
    private final BooleanSupplier isScanning;
    private final Runnable flush;
    private final BlockingWaits blockingWaits;
    private final Failures failures;
    private final SessionTermination termination;
    private final StepWaits stepWaits = new StepWaits();

    /**
     * @param machine the machine's name in errors
     * @param isScanning returns true if a scan is under way
     * @param flush sends recorded messages
     */
    public PendingUpdates(
            String machine,
            InFlightLimiter limiter,
            BooleanSupplier isScanning,
            Runnable flush,
            BlockingWaits blockingWaits,
            Failures failures,
            SessionTermination termination) {
        this.machine = machine;
        this.limiter = limiter;
        this.isScanning = isScanning;
        this.flush = flush;
        this.blockingWaits = blockingWaits;
        this.failures = failures;
        this.termination = termination;
    }

    /** Returns the number of sealed segments, calls of programs included. */
    public long sealedSegments() {
        return limiter.sealed();
    }

    /**
     * Waits until this many segments have been executed. Does not wait if a scan is under way, or if the machine is so far away that waits
     * would slow the program down.
     */
    public void awaitStep(long segments) {
        if (limiter.progress().segments() >= segments || isScanning.getAsBoolean() || termination.isOver()) {
            return;
        }
        if (stepWaits.isNear()) {
            flush.run();
            long begin = System.nanoTime();
            long engineNanos = limiter.progress().engineNanos();
            blockingWaits.during("earlier step", () -> limiter.awaitSegments(segments, termination::isOver));
            stepWaits.waited(System.nanoTime() - begin, limiter.progress().engineNanos() - engineNanos);
        }
    }

    /**
     * Returns the number of runs of an update that the machine has skipped since the last call, as far as it has
     * reported; does not wait.
     */
    public long takeLeftOut(long update) {
        return failures.takeLeftOut(update);
    }

    /**
     * Throws the faults because of which runs of an update were skipped, as far as the machine has reported them and
     * the program has not been told.
     */
    public void reportLeftOut(long update) {
        List<Fault> reasons = failures.reportReasons(update);
        if (!reasons.isEmpty()) {
            throw FaultText.ofUpdate(reasons.getFirst(), machine, reasons.size());
        }
    }
}
