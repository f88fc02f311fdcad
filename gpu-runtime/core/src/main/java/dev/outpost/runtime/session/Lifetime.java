package dev.outpost.runtime.session;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a runtime lives without clients, and with clients that ask for nothing. What is absent has no bound.
 *
 * @param unused it ends when nothing was heard of any client for so long: nobody who could use it is left
 * @param idle it ends when no instruction came, and none was executed, for so long, whoever is there
 * @param first as {@code unused}, before the first client came; that of {@code unused} where it is absent
 */
public record Lifetime(Optional<Duration> unused, Optional<Duration> idle, Optional<Duration> first) {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /** Until somebody ends it. */
    public static final Lifetime UNBOUNDED = new Lifetime(Optional.empty(), Optional.empty());

    /** One that waits for its first client no longer than for a later one. */
    public Lifetime(Optional<Duration> unused, Optional<Duration> idle) {
        this(unused, idle, Optional.empty());
    }

    public Lifetime {
        requirePositive("unused", unused);
        requirePositive("idle", idle);
        requirePositive("first", first);
    }

    /** The lifetime until the first client comes. */
    Lifetime beforeTheFirst() {
        return new Lifetime(first.or(() -> unused), idle);
    }

    /**
     * Whether it is time to end, and why. Times are nanoseconds of one monotonic clock.
     *
     * @param heard when a client was last heard of
     * @param used when the last instruction came or was executed
     */
    Optional<RuntimeTermination> judge(long now, long heard, long used) {
        return over(unused, now - heard, RuntimeTermination.Kind.UNUSED, "nothing was heard of any client for ")
                .or(() -> over(idle, now - used, RuntimeTermination.Kind.IDLE, "no instruction came for "));
    }

    private static Optional<RuntimeTermination> over(
            Optional<Duration> most, long nanos, RuntimeTermination.Kind kind, String words) {
        return most.filter(bound -> nanos > bound.toNanos())
                .map(bound -> new RuntimeTermination(kind, words + text(bound)));
    }

    private static String text(Duration bound) {
        long millis = bound.toMillis();
        if (millis % HOUR == 0) {
            return millis / HOUR + " h";
        }
        if (millis % MINUTE == 0) {
            return millis / MINUTE + " min";
        }
        return millis % SECOND == 0 ? millis / SECOND + " s" : millis + " ms";
    }

    private static void requirePositive(String name, Optional<Duration> bound) {
        bound.filter(time -> !time.isPositive()).ifPresent(time -> {
            throw new IllegalArgumentException(name + ": expected a time above zero, got " + time);
        });
    }
}
