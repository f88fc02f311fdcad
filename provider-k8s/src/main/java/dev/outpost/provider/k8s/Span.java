package dev.outpost.provider.k8s;

import java.time.Duration;

/** A length of time as a person reads it: {@code 15 min}, {@code 90 s}, {@code 250 ms}. */
final class Span {
    private Span() {}

    static String text(Duration duration) {
        if (duration.toMillisPart() != 0) {
            return duration.toMillis() + " ms";
        }
        if (duration.toSecondsPart() != 0 || duration.isZero()) {
            return duration.toSeconds() + " s";
        }
        return duration.toMinutesPart() == 0 ? duration.toHours() + " h" : duration.toMinutes() + " min";
    }
}
