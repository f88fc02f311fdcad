package dev.outpost.provider.k8s.task;

import java.time.Duration;

/** Formats a duration for people: {@code 15 min}, {@code 90 s}, {@code 250 ms}. */
public final class Span {
    private Span() {}

    public static String text(Duration duration) {
        if (duration.toMillisPart() != 0) {
            return duration.toMillis() + " ms";
        }
        if (duration.toSecondsPart() != 0 || duration.isZero()) {
            return duration.toSeconds() + " s";
        }
        return duration.toMinutesPart() == 0 ? duration.toHours() + " h" : duration.toMinutes() + " min";
    }
}
