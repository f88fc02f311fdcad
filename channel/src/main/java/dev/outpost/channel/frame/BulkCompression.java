package dev.outpost.channel.frame;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.types.MalformedException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Lossless compression of bulk data. It groups the bytes of the elements by their significance, because signs and exponents resemble each
 * other and the lowest digits do not. Then it encodes them by Huffman's code, as raw deflate without matches. Each byte takes at least a
 * bit, so the unpacked data is at most {@value #MAX_RATIO} times as long as the packed data.
 */
public final class BulkCompression {
    /**
     * The largest ratio of unpacked to packed bytes. Larger ratios are refused before unpacking, so that a peer
     * cannot cause much work or memory use with few bytes.
     */
    public static final int MAX_RATIO = 8;

    /** The maximum number of unpacked bytes of a frame. Chunks are half as long. */
    public static final int MAX_BYTES = 256 << 10;

    private static final int MAX_ELEMENT_BYTES = 8;

    private BulkCompression() {}

    /**
     * Packs bytes.
     *
     * @param deflater a result of {@link #deflater}
     * @param grouped a buffer of at least that length
     * @return the size of the result in bytes, or 0 if it does not fit into the target
     */
    public static int pack(
            Deflater deflater, byte[] bytes, int length, int elementBytes, byte[] grouped, byte[] target) {
        group(bytes, length, elementBytes, grouped);
        deflater.reset();
        deflater.setInput(grouped, 0, length);
        deflater.finish();
        int packed = deflater.deflate(target);
        if (packed == 0) {
            // The first call of a deflater only applies its strategy.
            packed = deflater.deflate(target);
        }
        return deflater.finished() ? packed : 0;
    }

    /** Makes the compressor for {@link #pack}. It has memory outside of the heap, which is freed when it is closed or collected. */
    public static Deflater deflater() {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        deflater.setStrategy(Deflater.HUFFMAN_ONLY);
        return deflater;
    }

    /**
     * Unpacks the result of {@link #pack}. Other input causes a {@link MalformedException}.
     *
     * @param target receives the bytes, from an offset on
     * @param length the expected number of bytes
     */
    static void unpack(Bytes packed, int elementBytes, byte[] target, int from, int length) {
        byte[] grouped = inflate(packed.toByteArray(), length);
        int count = length / elementBytes;
        for (int place = 0, source = 0; place < elementBytes; place++) {
            for (int index = 0, at = from + place; index < count; index++, at += elementBytes) {
                target[at] = grouped[source++];
            }
        }
        int rest = count * elementBytes;
        System.arraycopy(grouped, rest, target, from + rest, length - rest);
    }

    /** Throws MalformedException if the announced size exceeds the absolute limit, or the limit relative to the packed bytes. */
    static void requireModest(int packed, int length, int elementBytes) {
        if (elementBytes < 1 || elementBytes > MAX_ELEMENT_BYTES) {
            throw new MalformedException("packed elements of " + elementBytes + " bytes");
        }
        if (length > MAX_BYTES || length > (long) MAX_RATIO * packed) {
            throw new MalformedException(packed + " packed bytes claim to be " + length + ", over " + MAX_RATIO
                    + " times as many or over " + MAX_BYTES);
        }
    }

    private static void group(byte[] bytes, int length, int elementBytes, byte[] grouped) {
        int count = length / elementBytes;
        for (int place = 0, target = 0; place < elementBytes; place++) {
            for (int index = 0, at = place; index < count; index++, at += elementBytes) {
                grouped[target++] = bytes[at];
            }
        }
        int rest = count * elementBytes;
        System.arraycopy(bytes, rest, grouped, rest, length - rest);
    }

    /** Inflates to exactly the given length. Never writes more. */
    private static byte[] inflate(byte[] packed, int length) {
        byte[] bytes = new byte[length];
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(packed);
            int got = inflater.inflate(bytes);
            // The stream may have end bits after its last data byte.
            boolean isWhole = got == length && (inflater.finished() || inflater.inflate(new byte[1]) == 0);
            if (!isWhole || !inflater.finished() || inflater.getRemaining() > 0) {
                throw new MalformedException("packed bytes are not the " + length + " that they claim to be");
            }
            return bytes;
        } catch (DataFormatException failure) {
            throw new MalformedException("packed bytes cannot be read: " + failure.getMessage());
        } finally {
            inflater.end();
        }
    }
}
