package dev.outpost.cli.backend.machine;

import java.time.Duration;
import java.time.Instant;

/** Formats durations for tables: the largest unit, and the next smaller unit if it matters. */
public final class Ages {
    private Ages() {}

    /** Returns a text such as {@code 42 s}, {@code 12 min}, {@code 1 h 48 min} or {@code 3 d 4 h}. */
    static String text(Duration duration) {
        if (duration.toMinutes() == 0) {
            return duration.toSeconds() + " s";
        }
        if (duration.toHours() == 0) {
            return duration.toMinutes() + " min";
        }
        return duration.toDays() == 0
                ? two(duration.toHours(), "h", duration.toMinutesPart(), "min")
                : two(duration.toDays(), "d", duration.toHoursPart(), "h");
    }

    /** Returns a text such as {@code in 12 min} or {@code 12 min ago}. */
    static String text(Instant then, Instant now) {
        return then.isAfter(now)
                ? "in " + text(Duration.between(now, then))
                : text(Duration.between(then, now)) + " ago";
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
