package dev.outpost.client.start;

import java.time.Duration;

/** Formats durations for messages. */
public final class Seconds {
    private Seconds() {}

    /** Formats a duration in whole seconds, such as {@code 41 s}. */
    public static String whole(Duration duration) {
        return duration.toSeconds() + " s";
    }
}
