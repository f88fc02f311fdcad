package dev.outpost.client;

import java.time.Duration;
import java.util.Locale;

/** Durations as people read them. */
final class Seconds {
    private Seconds() {}

    /** {@code 12 ms} or {@code 41.2 s}. */
    static String text(Duration duration) {
        return duration.toMillis() < 1000
                ? duration.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }

    /** {@code 41 s}. */
    static String whole(Duration duration) {
        return duration.toSeconds() + " s";
    }
}
