package dev.outpost.provider.support;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reports the progress of a start, which never goes back: a report of an earlier phase is passed on with the phase
 * that was reached. Thread-safe.
 */
public final class MonotonicProgress {
    private final Consumer<ProvisioningStep> listener;
    private final Supplier<Duration> elapsed;
    private final ReentrantLock lock = new ReentrantLock();
    private MachinePhase phase = MachinePhase.QUEUED;
    private String text = "";

    /** Begins the progress of a start now. */
    public MonotonicProgress(Consumer<ProvisioningStep> listener) {
        this(listener, System.nanoTime());
    }

    private MonotonicProgress(Consumer<ProvisioningStep> listener, long start) {
        this(listener, () -> Duration.ofNanos(System.nanoTime() - start));
    }

    /** @param elapsed the time since the start began */
    public MonotonicProgress(Consumer<ProvisioningStep> listener, Supplier<Duration> elapsed) {
        this.listener = listener;
        this.elapsed = elapsed;
    }

    /**
     * Reports a phase and its text, unless they are those of the last report. A phase after {@code READY} is not part of a start, so only
     * its text is reported.
     */
    public void report(MachinePhase newPhase, String newText) {
        lock.lock();
        try {
            boolean isFurther = newPhase.compareTo(phase) > 0 && newPhase.compareTo(MachinePhase.READY) <= 0;
            MachinePhase told = isFurther ? newPhase : phase;
            if (told != phase || !newText.equals(text)) {
                phase = told;
                text = newText;
                listener.accept(new ProvisioningStep(phase, text, elapsed.get()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Reports the cause of a delay, in the phase that was reached. */
    public void report(String trouble) {
        report(MachinePhase.QUEUED, trouble);
    }

    /** Returns the last report, as the end of a sentence: {@code waiting for a node: no node has a free A100}. */
    public String standing() {
        lock.lock();
        try {
            return doing(phase) + ": " + text;
        } finally {
            lock.unlock();
        }
    }

    private static String doing(MachinePhase phase) {
        return switch (phase) {
            case QUEUED -> "waiting to be admitted";
            case SCHEDULING -> "waiting for a node";
            case PULLING -> "being prepared on its node";
            case STARTING -> "starting";
            case CONNECTING, READY, UNREACHABLE, ENDING, ENDED, GONE -> "being reached";
        };
    }
}
