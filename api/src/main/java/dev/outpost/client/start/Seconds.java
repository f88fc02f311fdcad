package dev.outpost.client.start;

import java.time.Duration;

/** Durations as people read them. */
public final class Seconds {
    private Seconds() {}

    /** {@code 41 s}. */
    public static String whole(Duration duration) {
        return duration.toSeconds() + " s";
    }
}
