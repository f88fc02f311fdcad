package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.control.PacedClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The signals that wait for a pod's worker. That the pod shall end interrupts whatever it waits for. */
final class SignalQueue {
    /** The pod shall end. */
    static final class Deleted extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Optional<Duration> grace;

        private Deleted(Optional<Duration> grace) {
            super("the pod shall end", null, false, false);
            this.grace = grace;
        }

        /** How long it may take; empty when its object is gone already. */
        Optional<Duration> grace() {
            return grace;
        }
    }

    private final BlockingQueue<PodSignal> signals = new LinkedBlockingQueue<>();

    void add(PodSignal signal) {
        signals.add(signal);
    }

    /** The next signal, whenever it comes. */
    PodSignal next() throws Deleted, InterruptedException {
        return checked(signals.take());
    }

    /** The next signal, if one comes in time. */
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

    /** Lets time of the cluster pass, whatever else happens. */
    void pause(PacedClock clock, Duration ofCluster) throws Deleted, InterruptedException {
        Duration end = clock.now().plus(ofCluster);
        for (Duration left = ofCluster; left.isPositive(); left = end.minus(clock.now())) {
            next(clock.real(left));
        }
    }

    /** Waits until the pod shall end, whatever else happens. */
    void awaitEnd() throws Deleted, InterruptedException {
        while (true) {
            next();
        }
    }
}
