package dev.outpost.channel.delivery;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.BulkCompression;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import java.util.function.LongSupplier;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses what a lane sends while that makes it faster, by what is measured: how fast the link takes bytes, how fast they are
 * packed, and how much is gained. Nothing is packed before the link was measured, nor on a fast one. Not thread-safe.
 */
final class LaneCompressor {
    /** Shorter payloads are not worth it. */
    private static final int MIN_BYTES = 4 << 10;

    /** A link that takes that many bytes a second is fast: packing would take longer than it saves. */
    private static final double FAST = 40e6;

    /** Where packing has not paid, it is tried again after so many payloads. */
    private static final int TRY_AGAIN_AFTER = 64;

    private static final double WEIGHT_OF_LATEST = 0.25;

    private final LongSupplier clock;
    private final LinkRate rate;
    /** Null before the first payload is packed: most links are fast. */
    private @Nullable Workspace workspace;

    private double packSeconds;
    private double ratio;
    private boolean isKnown;
    private int untried;

    private static final class Workspace {
        final Deflater deflater = BulkCompression.deflater();
        final byte[] bytes = new byte[BulkCompression.MAX_BYTES];
        final byte[] grouped = new byte[BulkCompression.MAX_BYTES];
        final byte[] packed = new byte[BulkCompression.MAX_BYTES];

        /** How many bytes the payload's body takes; 0 where it does not get shorter. */
        int pack(Payload payload) {
            int length = payload.body().length();
            payload.body().copyTo(bytes, 0);
            int size = BulkCompression.pack(deflater, bytes, length, payload.elementBytes(), grouped, packed);
            return size < length ? size : 0;
        }
    }

    LaneCompressor(LongSupplier clock) {
        this.clock = clock;
        this.rate = new LinkRate(clock);
    }

    /** The frame of a payload that is worth it; null for others, which are sent as they are. */
    byte @Nullable [] pack(Lane lane, long number, long received, Payload payload) {
        int length = payload.body().length();
        byte @Nullable [] frame = decideToPack(length) ? tryToPack(lane, number, received, payload) : null;
        rate.sent(length, frame == null ? length : frame.length);
        return frame;
    }

    /** The other side has so many more bytes of payloads. */
    void acknowledged(long payloadBytes, boolean isAll) {
        rate.acknowledged(payloadBytes, isAll);
    }

    private boolean decideToPack(int length) {
        if (length < MIN_BYTES
                || length > BulkCompression.MAX_BYTES
                || !rate.isKnown()
                || rate.bytesPerSecond() > FAST) {
            return false;
        }
        if (!isKnown || packSeconds + ratio / rate.bytesPerSecond() < 1 / rate.bytesPerSecond()) {
            return true;
        }
        untried++;
        return untried % TRY_AGAIN_AFTER == 0;
    }

    private byte @Nullable [] tryToPack(Lane lane, long number, long received, Payload payload) {
        if (workspace == null) {
            workspace = new Workspace();
        }
        int length = payload.body().length();
        long start = clock.getAsLong();
        int size = workspace.pack(payload);
        learn((clock.getAsLong() - start) / 1e9 / length, size == 0 ? 1 : (double) size / length);
        if (size == 0) {
            return null;
        }
        Slice body = new Slice(workspace.packed, 0, size);
        return new Frame.Packed(lane, number, received, payload.head(), payload.elementBytes(), length, body).encode();
    }

    private void learn(double secondsOfAByte, double shrunkTo) {
        double weight = isKnown ? WEIGHT_OF_LATEST : 1;
        packSeconds += weight * (secondsOfAByte - packSeconds);
        ratio += weight * (shrunkTo - ratio);
        isKnown = true;
    }
}
