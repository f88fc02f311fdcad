package dev.outpost.channel.http;

import java.time.Duration;

/**
 * The minimum progress of a body while its reader waits for bytes.
 *
 * @param time the time in which the bytes must arrive; above 0
 * @param bytes the number of bytes, at least 1; with a larger number, a body that arrives very slowly is ended too
 */
public record Pace(Duration time, int bytes) {
    /** The pace for data: 16 KiB in 30 seconds. */
    public static final Pace DATA = new Pace(Duration.ofSeconds(30), 16 << 10);

    /** The pace for streams with little data, such as logs: one byte in a minute. */
    public static final Pace STREAM = new Pace(Duration.ofMinutes(1), 1);

    public Pace {
        if (!time.isPositive() || bytes < 1) {
            throw new IllegalArgumentException(
                    "expected a time above 0 and at least 1 byte, got " + time + ", " + bytes);
        }
    }

    /** Returns a pace with the same number of bytes in another time. */
    public Pace within(Duration other) {
        return new Pace(other, bytes);
    }
}
