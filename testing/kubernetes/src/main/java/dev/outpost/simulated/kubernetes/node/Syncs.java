package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.control.PacedClock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The times of the kubelet's periodic syncs of a running pod: 60 to 90 s after the last one, as in a real kubelet. Only a sync updates the
 * mounts.
 */
final class Syncs {
    private static final Duration PERIOD = Duration.ofSeconds(60);
    private static final Duration JITTER = Duration.ofSeconds(30);

    private final PacedClock clock;
    private final RandomGenerator random;
    private Duration next;

    /** Records a sync of the pod. */
    Syncs(PacedClock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
        this.next = drawn();
    }

    /** Returns the real time until the next sync is due. */
    Duration untilNext() {
        return clock.real(next.minus(clock.now()));
    }

    /** Returns true if a sync is due, and records it. */
    boolean take() {
        boolean due = clock.now().compareTo(next) >= 0;
        if (due) {
            next = drawn();
        }
        return due;
    }

    private Duration drawn() {
        return clock.now().plus(PERIOD).plusNanos(random.nextLong(JITTER.toNanos() + 1));
    }
}
