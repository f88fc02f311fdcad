package dev.outpost.channel;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The increasing pauses between the attempts of a call, and the time after which no further attempt is made.
 *
 * @param first the first pause, before jitter shortens it
 * @param factor the ratio of a pause to the one before it
 * @param longest the longest pause
 * @param jitter the part of a pause that is drawn at random, from 0 to 1, so that many clients do not retry at once
 * @param timeout the time after which there are no more attempts
 */
public record Backoff(Duration first, double factor, Duration longest, double jitter, Duration timeout) {
    /** The timeout of a call that is repeated until it succeeds. */
    public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    public Backoff {
        if (!first.isPositive() || longest.compareTo(first) < 0 || factor < 1 || jitter < 0 || jitter > 1) {
            throw new IllegalArgumentException(
                    "backoff: expected a first pause above 0, a longest one of at least that, a factor"
                            + " of at least 1 and a jitter from 0 to 1, got " + first + ", " + longest + ", " + factor
                            + ", " + jitter);
        }
    }

    /** Returns pauses that double, without jitter and without a timeout. */
    public static Backoff doubling(Duration first, Duration longest) {
        return new Backoff(first, 2, longest, 0, FOREVER);
    }

    public Backoff withJitter(double part) {
        return new Backoff(first, factor, longest, part, timeout);
    }

    public Backoff withTimeout(Duration limit) {
        return new Backoff(first, factor, longest, jitter, limit);
    }

    /** Begins a call now. */
    public Pauses begin() {
        return begin(System::nanoTime, new SplittableRandom());
    }

    /**
     * Begins a call now.
     *
     * @param nanos a monotonic clock, in nanoseconds
     */
    public Pauses begin(LongSupplier nanos, RandomGenerator random) {
        return new Pauses(this, nanos, random);
    }

    /** The pauses of one call. Not thread-safe. */
    public static final class Pauses {
        private final Backoff backoff;
        private final LongSupplier nanos;
        private final RandomGenerator random;
        private final long begun;
        private Duration ceiling;

        private Pauses(Backoff backoff, LongSupplier nanos, RandomGenerator random) {
            this.backoff = backoff;
            this.nanos = nanos;
            this.random = random;
            this.begun = nanos.getAsLong();
            this.ceiling = backoff.first;
        }

        /** Returns the pause before the next attempt, which ends at the timeout at the latest; empty after the timeout. */
        public Optional<Duration> next() {
            Duration left = left();
            if (!left.isPositive()) {
                return Optional.empty();
            }
            Duration pause = draw();
            ceiling = shorter(Duration.ofNanos(Math.round(ceiling.toNanos() * backoff.factor)), backoff.longest);
            return Optional.of(shorter(pause, left));
        }

        /** Sleeps until the next attempt. Returns false immediately if the timeout is over. */
        public boolean sleep() throws InterruptedException {
            Optional<Duration> pause = next();
            if (pause.isPresent()) {
                Thread.sleep(pause.get());
            }
            return pause.isPresent();
        }

        /** Starts again with the first pause, after a success. */
        public void reset() {
            ceiling = backoff.first;
        }

        private Duration left() {
            return backoff.timeout.equals(FOREVER) ? FOREVER : backoff.timeout.minusNanos(nanos.getAsLong() - begun);
        }

        private Duration draw() {
            long all = ceiling.toNanos();
            long drawn = Math.round(all * backoff.jitter);
            return Duration.ofNanos(drawn == 0 ? all : all - drawn + random.nextLong(drawn + 1));
        }

        private static Duration shorter(Duration left, Duration right) {
            return left.compareTo(right) < 0 ? left : right;
        }
    }
}
