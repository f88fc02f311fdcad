package dev.outpost.channel.delivery;

import java.util.function.LongSupplier;

/**
 * How many bytes a second a link takes, while a lane has more to send than it takes. Judged by acknowledgements of enough
 * bytes in a row: few of them tell of round trips, not of the link. Not thread-safe.
 */
final class LinkRate {
    /** Less than eight chunks, which are acknowledged without waiting for a tick. */
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

    /** A payload goes out, in so many bytes of the wire. */
    void sent(int payloadBytes, int wireBytes) {
        if (!isBusy) {
            isBusy = true;
            begin();
        }
        sent += payloadBytes;
        sentOnWire += wireBytes;
    }

    /** @param isAll whether nothing is on its way any more */
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
