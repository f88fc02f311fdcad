package dev.outpost.channel.frame;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.types.MalformedException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * How bulk is compressed without a loss: the bytes of the elements are grouped by their significance, since signs and
 * exponents resemble each other and the lowest digits do not, and coded by Huffman's code, as raw deflate without matches.
 * Each byte takes at least a bit, so what was packed is at most {@value #MAX_RATIO} times as long.
 */
public final class BulkCompression {
    /** More is refused before it is unpacked: no peer gets more work or memory than that for a byte. */
    public static final int MAX_RATIO = 8;

    /** The most bytes that one frame unpacks to; chunks are half as long. */
    public static final int MAX_BYTES = 256 << 10;

    private static final int MAX_ELEMENT_BYTES = 8;

    private BulkCompression() {}

    /**
     * Packs bytes.
     *
     * @param deflater from {@link #deflater}
     * @param grouped room for as many bytes as there are
     * @return how many bytes the result takes, or 0 where it does not fit into the target
     */
    public static int pack(
            Deflater deflater, byte[] bytes, int length, int elementBytes, byte[] grouped, byte[] target) {
        group(bytes, length, elementBytes, grouped);
        deflater.reset();
        deflater.setInput(grouped, 0, length);
        deflater.finish();
        int packed = deflater.deflate(target);
        if (packed == 0) {
            // The first call of a deflater takes over its strategy.
            packed = deflater.deflate(target);
        }
        return deflater.finished() ? packed : 0;
    }

    /**
     * The compressor for {@link #pack}. It has memory outside of the heap, which is freed when it is closed or
     * collected.
     */
    public static Deflater deflater() {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        deflater.setStrategy(Deflater.HUFFMAN_ONLY);
        return deflater;
    }

    /**
     * The counterpart of {@link #pack}; anything else is a {@link MalformedException}.
     *
     * @param target where the bytes go, from a place on
     * @param length how many bytes there must be
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

    /** Fails for what is not to be unpacked, however few bytes came. */
    static void requireModest(int packed, int length, int elementBytes) {
        if (elementBytes < 1 || elementBytes > MAX_ELEMENT_BYTES) {
            throw new MalformedException("packed elements of " + elementBytes + " bytes");
        }
        if (length > MAX_BYTES || length > (long) MAX_RATIO * packed) {
            throw new MalformedException(packed + " packed bytes are said to be " + length + ", over " + MAX_RATIO
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

    /** No more than the length is ever written. */
    private static byte[] inflate(byte[] packed, int length) {
        byte[] bytes = new byte[length];
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(packed);
            int got = inflater.inflate(bytes);
            // The end of the stream may stand behind its last byte.
            boolean isWhole = got == length && (inflater.finished() || inflater.inflate(new byte[1]) == 0);
            if (!isWhole || !inflater.finished() || inflater.getRemaining() > 0) {
                throw new MalformedException("packed bytes are not the " + length + " that they are said to be");
            }
            return bytes;
        } catch (DataFormatException failure) {
            throw new MalformedException("packed bytes cannot be read: " + failure.getMessage());
        } finally {
            inflater.end();
        }
    }
}
