package dev.outpost.channel.delivery;

import java.util.function.LongSupplier;

/**
 * Measures the rate of a link in bytes per second while a lane has more data to send than the link can carry. It uses
 * acknowledgements of many bytes in a row, because a few bytes measure the round trip instead of the rate. Not
 * thread-safe.
 */
final class LinkRate {
    /** The bytes of a sample: less than eight chunks, which the peer acknowledges without waiting for a tick. */
    private static final int SAMPLE_BYTES = 1_000_000;

    private final LongSupplier clock;
    private boolean isBusy;
    private long sinceNanos;
    private long acknowledged;
    private long sent;
    private long sentOnWire;
    private double bytesPerSecond;

    LinkRate(LongSupplier clock) {
        this.clock = clock;
    }

    /** Records that a payload is sent, and its size on the wire in bytes. */
    void sent(int payloadBytes, int wireBytes) {
        if (!isBusy) {
            isBusy = true;
            begin();
        }
        sent += payloadBytes;
        sentOnWire += wireBytes;
    }

    /** @param isAll true if all sent payloads are acknowledged */
    void acknowledged(long payloadBytes, boolean isAll) {
        acknowledged += payloadBytes;
        if (isBusy && acknowledged >= SAMPLE_BYTES && sent > 0) {
            double seconds = Math.max(1, clock.getAsLong() - sinceNanos) / 1e9;
            bytesPerSecond = acknowledged * ((double) sentOnWire / sent) / seconds;
            begin();
        }
        isBusy = isBusy && !isAll;
    }

    boolean isKnown() {
        return bytesPerSecond > 0;
    }

    double bytesPerSecond() {
        return bytesPerSecond;
    }

    private void begin() {
        sinceNanos = clock.getAsLong();
        acknowledged = 0;
        sent = 0;
        sentOnWire = 0;
    }
}
