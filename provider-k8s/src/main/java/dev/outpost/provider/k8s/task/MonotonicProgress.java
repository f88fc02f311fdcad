package dev.outpost.provider.k8s.task;

import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.ProvisioningStep.Phase;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells how far a start is. It never steps back: what belongs to an earlier phase is told in the one that was reached. */
public final class MonotonicProgress {
    private final Consumer<ProvisioningStep> listener;
    private final Supplier<Duration> elapsed;
    private final ReentrantLock lock = new ReentrantLock();
    private Phase phase = Phase.QUEUED;
    private String text = "";

    public MonotonicProgress(Consumer<ProvisioningStep> listener, Supplier<Duration> elapsed) {
        this.listener = listener;
        this.elapsed = elapsed;
    }

    /** Tells of it, unless it was the last thing told. */
    public void report(Phase newPhase, String newText) {
        lock.lock();
        try {
            Phase told = newPhase.compareTo(phase) > 0 ? newPhase : phase;
            if (told != phase || !newText.equals(text)) {
                phase = told;
                text = newText;
                listener.accept(new ProvisioningStep(phase, text, elapsed.get()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells what holds up the phase that was reached. */
    public void report(String trouble) {
        report(Phase.QUEUED, trouble);
    }

    /** Where it stands, as the end of a sentence: {@code scheduling: no node has a free A100}. */
    public String standing() {
        lock.lock();
        try {
            return doing(phase) + ": " + text;
        } finally {
            lock.unlock();
        }
    }

    private static String doing(Phase phase) {
        return switch (phase) {
            case QUEUED -> "waiting to be admitted";
            case SCHEDULING -> "waiting for a node";
            case PULLING -> "being prepared on its node";
            case STARTING -> "starting";
            case CONNECTING, READY -> "being reached";
        };
    }
}
