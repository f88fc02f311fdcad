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
 * Compresses the payloads of a lane as long as compression makes the transfer faster. It measures the rate of the
 * link, the speed of compression, and the ratio. It compresses nothing before the rate is known, and nothing on a
 * fast link. Not thread-safe.
 */
final class LaneCompressor {
    /** Payloads below this size are not worth compressing. */
    private static final int MIN_BYTES = 4 << 10;

    /** The rate in bytes per second from which compression takes longer than it saves. */
    private static final double FAST = 40e6;

    /** The number of uncompressed payloads after which compression is tried again, if it did not pay. */
    private static final int TRY_AGAIN_AFTER = 64;

    private static final double WEIGHT_OF_LATEST = 0.25;

    private final LongSupplier clock;
    private final LinkRate rate;
    /** Null until the first payload is compressed. On most links this never happens, because they are fast. */
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

        /** Compresses the payload's body. Returns the compressed size in bytes, or 0 if it is not smaller. */
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

    /** Returns the compressed frame of a payload, or null if the payload must be sent uncompressed. */
    byte @Nullable [] pack(Lane lane, long number, long received, Payload payload) {
        int length = payload.body().length();
        byte @Nullable [] frame = decideToPack(length) ? tryToPack(lane, number, received, payload) : null;
        rate.sent(length, frame == null ? length : frame.length);
        return frame;
    }

    /** Records that the other side has received this number of further payload bytes. */
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
