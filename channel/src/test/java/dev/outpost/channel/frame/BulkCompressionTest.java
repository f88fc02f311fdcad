package dev.outpost.channel.frame;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.Trials;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.types.MalformedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Unpacking restores the bytes, and forged packed bytes of a hostile peer cost at most a few times their size.
 */
@Tag("quick")
class BulkCompressionTest {
    private static final byte[] HEAD = {7, 8, 9};

    static Frame.Packed packed(float[] numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(numbers);
        return packed(bytes.array(), 4);
    }

    private static Frame.Packed packed(byte[] bytes, int elementBytes) {
        byte[] target = new byte[2 * bytes.length + 100];
        int size = BulkCompression.pack(
                BulkCompression.deflater(), bytes, bytes.length, elementBytes, new byte[bytes.length], target);
        return packed(Arrays.copyOf(target, size), bytes.length, elementBytes);
    }

    private static Frame.Packed packed(byte[] packed, int length, int elementBytes) {
        return new Frame.Packed(Lane.BULK, 5, 4, HEAD, elementBytes, length, new Slice(packed));
    }

    @Test
    void packedBytesAreUnpackedUnchanged() {
        Trials.repeat(200, 1, random -> {
            byte[] bytes = numbers(random, random.nextInt(5_000));
            int elementBytes = 1 << random.nextInt(4);
            Frame.Data data =
                    ((Frame.Packed) Frame.decode(packed(bytes, elementBytes).encode())).unpack();
            assertEquals(5, data.number());
            assertEquals(4, data.acknowledged());
            byte[] payload = data.payload().toByteArray();
            assertArrayEquals(HEAD, Arrays.copyOf(payload, HEAD.length));
            assertArrayEquals(bytes, Arrays.copyOfRange(payload, HEAD.length, payload.length));
        });
    }

    /** Such as the bytes of small integers, of which most are zero. */
    private static byte[] numbers(RandomGenerator random, int length) {
        byte[] bytes = new byte[length];
        for (int index = 0; index < length; index++) {
            bytes[index] = random.nextInt(4) == 0 ? (byte) random.nextInt() : 0;
        }
        return bytes;
    }

    @Test
    void weightsTakeASixthLess() {
        Random random = new Random(1);
        float[] weights = new float[32_000];
        for (int index = 0; index < weights.length; index++) {
            weights[index] = (float) (0.02 * random.nextGaussian());
        }
        int size = packed(weights).body().length();
        assertTrue(size < 0.86 * 4 * weights.length, () -> size + " of " + 4 * weights.length);
    }

    /** Zeros have the best ratio, so the output of an honest sender is never refused. */
    @Test
    void nothingIsPackedToLessThanAnEighth() {
        for (int length : new int[] {1 << 10, 127 << 10, BulkCompression.MAX_BYTES}) {
            Frame.Packed packed = packed(new byte[length], 4);
            assertTrue(BulkCompression.MAX_RATIO * packed.body().length() >= length);
            assertArrayEquals(
                    new byte[length],
                    Arrays.copyOfRange(packed.unpack().payload().toByteArray(), HEAD.length, HEAD.length + length));
        }
    }

    /** A megabyte of zeros in a kilobyte, as a sender that looks for matches makes it. */
    @Test
    void aBombIsRefusedBeforeItIsUnpacked() {
        byte[] bomb = bomb(1 << 20);
        assertTrue(bomb.length < 2_000, () -> bomb.length + " bytes");
        assertMalformed(
                bomb.length + " packed bytes claim to be 1048576, over 8 times as many or over 262144",
                () -> packed(bomb, 1 << 20, 1));
        assertMalformed(
                bomb.length + " packed bytes claim to be 262144, over 8 times as many or over 262144",
                () -> packed(bomb, BulkCompression.MAX_BYTES, 1));
    }

    /** If the announced size is too small, the input is read up to that size only. */
    @Test
    void aBombThatDeniesWhatItHoldsIsMalformed() {
        byte[] bomb = bomb(1 << 20);
        int said = 8 * bomb.length;
        assertMalformed(
                "packed bytes are not the " + said + " that they claim to be",
                () -> packed(bomb, said, 1).unpack());
    }

    @Test
    void lessThanIsSaidIsMalformed() {
        byte[] bytes = {1, 2, 3, 4};
        Frame.Packed whole = packed(bytes, 1);
        byte[] body = whole.body().toByteArray();
        assertMalformed(
                "packed bytes are not the 5 that they claim to be",
                () -> packed(body, 5, 1).unpack());
        assertMalformed(
                "packed bytes are not the 3 that they claim to be",
                () -> packed(body, 3, 1).unpack());
        assertMalformed(
                "packed bytes are not the 4 that they claim to be",
                () -> packed(Arrays.copyOf(body, body.length + 1), 4, 1).unpack());
    }

    @Test
    void impossibleElementsAreMalformed() {
        assertMalformed("packed elements of 0 bytes", () -> packed(new byte[9], 9, 0));
        assertMalformed("packed elements of 9 bytes", () -> packed(new byte[9], 9, 9));
    }

    @Test
    void mutationIsNeverMoreThanMalformed() {
        byte[] frame = packed(numbers(new Random(1), 3_000), 4).encode();
        Trials.repeat(5_000, 1, random -> {
            byte[] bytes = frame.clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt(256);
            }
            try {
                if (Frame.decode(bytes) instanceof Frame.Packed packed) {
                    packed.unpack();
                }
            } catch (MalformedException expected) {
                // Malformed bytes are expected to cause this.
            }
        });
        assertThrows(MalformedException.class, () -> Frame.decode(Arrays.copyOf(frame, frame.length - 1)));
    }

    private static byte[] bomb(int length) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setInput(new byte[length]);
            deflater.finish();
            byte[] target = new byte[length];
            return Arrays.copyOf(target, deflater.deflate(target) > 0 ? (int) deflater.getBytesWritten() : 0);
        } finally {
            deflater.end();
        }
    }
}
