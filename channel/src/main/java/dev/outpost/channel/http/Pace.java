package dev.outpost.channel.http;

import java.time.Duration;

/**
 * What a body must at least bring while somebody waits for it.
 *
 * @param time in which the bytes must come, above 0
 * @param bytes at least 1; more than that also ends a body that trickles
 */
public record Pace(Duration time, int bytes) {
    /** For data: a connection that brings less than 16 KiB in 30 seconds is of no use. */
    public static final Pace DATA = new Pace(Duration.ofSeconds(30), 16 << 10);

    /** For streams that may have little to say, such as logs: a byte in a minute. */
    public static final Pace STREAM = new Pace(Duration.ofMinutes(1), 1);

    public Pace {
        if (!time.isPositive() || bytes < 1) {
            throw new IllegalArgumentException(
                    "expected a time above 0 and at least 1 byte, got " + time + ", " + bytes);
        }
    }

    /** The same number of bytes in another time. */
    public Pace within(Duration other) {
        return new Pace(other, bytes);
    }
}
