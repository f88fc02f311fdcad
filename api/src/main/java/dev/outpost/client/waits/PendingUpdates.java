package dev.outpost.client.waits;

import dev.outpost.client.failures.Failures;
import dev.outpost.client.failures.FaultText;
import dev.outpost.client.failures.SessionTermination;
import dev.outpost.protocol.message.Fault;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Updates that happen whole or not at all, such as steps of optimizers: which one session of a machine has left out, and how far it
 * is.
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
     * @param machine what errors call it
     * @param isScanning true if a scan is under way
     * @param flush sends what was recorded
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

    /** How many segments have been sealed, calls of programs among them. */
    public long sealedSegments() {
        return limiter.sealed();
    }

    /**
     * Waits until that many segments have been executed, unless the machine is so far away that this would hold up the program,
     * or a scan is under way.
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

    /** How many runs of an update the machine has left out since this was asked last, as far as it has said; does not wait. */
    public long takeLeftOut(long update) {
        return failures.takeLeftOut(update);
    }

    /** Throws why runs of an update were left out, as far as the machine has said and the program has not been told. */
    public void reportLeftOut(long update) {
        List<Fault> reasons = failures.reportReasons(update);
        if (!reasons.isEmpty()) {
            throw FaultText.ofUpdate(reasons.getFirst(), machine, reasons.size());
        }
    }
}
