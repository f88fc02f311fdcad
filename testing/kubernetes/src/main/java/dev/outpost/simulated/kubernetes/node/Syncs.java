package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.control.PacedClock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When the kubelet looks at a running pod by itself: 60 to 90 s after it did last, as a real one. Only then does it bring
 * what is mounted up to date.
 */
final class Syncs {
    private static final Duration PERIOD = Duration.ofSeconds(60);
    private static final Duration JITTER = Duration.ofSeconds(30);

    private final PacedClock clock;
    private final RandomGenerator random;
    private Duration next;

    /** The pod has just been looked at. */
    Syncs(PacedClock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
        this.next = drawn();
    }

    /** In how much of our time the next look is due. */
    Duration untilNext() {
        return clock.real(next.minus(clock.now()));
    }

    /** Whether a look is due, which is taken to happen then. */
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
