package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.control.PacedClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The queued signals for a pod's worker. The signal to end interrupts each wait of the worker. */
final class SignalQueue {
    /** Signals that the pod shall end. */
    static final class Deleted extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Optional<Duration> grace;

        private Deleted(Optional<Duration> grace) {
            super("the pod shall end", null, false, false);
            this.grace = grace;
        }

        /** Returns the time that the end may take; empty if its object is removed already. */
        Optional<Duration> grace() {
            return grace;
        }
    }

    private final BlockingQueue<PodSignal> signals = new LinkedBlockingQueue<>();

    void add(PodSignal signal) {
        signals.add(signal);
    }

    /** Waits for the next signal. */
    PodSignal next() throws Deleted, InterruptedException {
        return checked(signals.take());
    }

    /** Waits a limited time for the next signal. */
    Optional<PodSignal> next(Duration atMost) throws Deleted, InterruptedException {
        PodSignal signal = signals.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
        return signal == null ? Optional.empty() : Optional.of(checked(signal));
    }

    private static PodSignal checked(PodSignal signal) throws Deleted {
        return switch (signal) {
            case PodSignal.Delete(Duration grace) -> throw new Deleted(Optional.of(grace));
            case PodSignal.Gone() -> throw new Deleted(Optional.empty());
            default -> signal;
        };
    }

    /** Waits for a time of the cluster, regardless of other signals. */
    void pause(PacedClock clock, Duration ofCluster) throws Deleted, InterruptedException {
        Duration end = clock.now().plus(ofCluster);
        for (Duration left = ofCluster; left.isPositive(); left = end.minus(clock.now())) {
            next(clock.real(left));
        }
    }

    /** Waits for the signal to end, regardless of others. */
    void awaitEnd() throws Deleted, InterruptedException {
        while (true) {
            next();
        }
    }
}
