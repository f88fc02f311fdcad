package dev.outpost.client;

import java.time.Duration;

/** Durations as people read them. */
final class Seconds {
    private Seconds() {}

    /** {@code 41 s}. */
    static String whole(Duration duration) {
        return duration.toSeconds() + " s";
    }
}
