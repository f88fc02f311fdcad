package dev.outpost.runtime.session;

import java.time.Duration;
import java.util.Optional;

/**
 * The times after which a runtime ends if no client connects, or if clients send no work. If a time is empty, there
 * is no limit.
 *
 * @param unused the runtime ends if no frame of any session arrived for this time
 * @param idle the runtime ends if no instruction arrived or was executed for this time, even if clients are connected
 * @param first replaces {@code unused} before the first client connects; if it is empty, {@code unused} applies
 */
public record Lifetime(Optional<Duration> unused, Optional<Duration> idle, Optional<Duration> first) {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /** No bounds, so the runtime lives until it is stopped. */
    public static final Lifetime UNBOUNDED = new Lifetime(Optional.empty(), Optional.empty());

    /** A lifetime that waits for the first client as long as for later ones. */
    public Lifetime(Optional<Duration> unused, Optional<Duration> idle) {
        this(unused, idle, Optional.empty());
    }

    public Lifetime {
        requirePositive("unused", unused);
        requirePositive("idle", idle);
        requirePositive("first", first);
    }

    /** Returns the lifetime that applies until the first client connects. */
    Lifetime beforeTheFirst() {
        return new Lifetime(first.or(() -> unused), idle);
    }

    /**
     * Returns the reason why the runtime must end now, or empty if it may continue. Times are nanoseconds of one
     * monotonic clock.
     *
     * @param heard the time at which the last frame of a client arrived
     * @param used the time at which the last instruction arrived or was executed
     */
    Optional<RuntimeTermination> judge(long now, long heard, long used) {
        return over(unused, now - heard, RuntimeTermination.Kind.UNUSED, "no client has sent anything for ")
                .or(() -> over(idle, now - used, RuntimeTermination.Kind.IDLE, "no instruction arrived for "));
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
