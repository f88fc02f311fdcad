package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.control.PacedClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The signals that wait for a pod's worker. That the pod shall end interrupts whatever it waits for. */
final class Mailbox {
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

    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();

    void add(Signal signal) {
        signals.add(signal);
    }

    /** The next signal, whenever it comes. */
    Signal next() throws Deleted, InterruptedException {
        return checked(signals.take());
    }

    /** The next signal, if one comes in time. */
    Optional<Signal> next(Duration atMost) throws Deleted, InterruptedException {
        Signal signal = signals.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
        return signal == null ? Optional.empty() : Optional.of(checked(signal));
    }

    private static Signal checked(Signal signal) throws Deleted {
        return switch (signal) {
            case Signal.Delete(Duration grace) -> throw new Deleted(Optional.of(grace));
            case Signal.Gone() -> throw new Deleted(Optional.empty());
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
