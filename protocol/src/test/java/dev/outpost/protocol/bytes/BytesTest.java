package dev.outpost.protocol.bytes;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.Trials;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class BytesTest {

    @Test
    void numbersRoundTrip() {
        for (int bits = 0; bits <= 64; bits++) {
            long value = bits == 64 ? -1 : (1L << bits) - 1;
            ByteReader in = written(out -> {
                out.varint(value);
                out.zigzag(value);
                out.zigzag(~value);
                out.fixed64(value);
            });
            assertArrayEquals(
                    new long[] {value, value, ~value, value},
                    new long[] {in.varint(), in.zigzag(), in.zigzag(), in.fixed64()});
            in.expectEnd("numbers");
        }
    }

    @Test
    void flagsRoundTrip() {
        Trials.repeat(300, 1, random -> {
            int count = random.nextInt(200);
            long[] words = random.longs(4).toArray();
            boolean[] expected = new boolean[count];
            for (int index = 0; index < count; index++) {
                expected[index] = (words[index / 64] >>> (index % 64) & 1) != 0;
            }
            ByteReader in = written(out -> out.flags(words, count));
            assertArrayEquals(expected, in.flags(count));
            in.expectEnd("flags");
        });
    }

    @Test
    void textRoundTrips() {
        assertEquals("größe ∑ 𝛼", written(out -> out.string("größe ∑ 𝛼")).string());
    }

    @Test
    void growsAsNeeded() {
        ByteReader in = written(out -> out.block(new byte[100_000]));
        assertEquals(100_000, in.block().length);
    }

    @Test
    void startsOverWhenCleared() {
        ByteWriter out = new ByteWriter();
        out.fixed64(7);
        out.clear();
        out.u8(300);
        assertArrayEquals(new byte[] {44}, out.toByteArray());
    }

    @Test
    void readsNoFurtherThanItsEnd() {
        ByteReader in = new ByteReader(new byte[] {1, 2, 3, 4}, 1, 3);
        assertArrayEquals(new byte[] {2, 3}, in.bytes(2));
        assertMalformed("truncated: 1 bytes wanted, 0 left", in::u8);
    }

    @Test
    void numbersOverTenBytesAreMalformed() {
        byte[] endless = new byte[20];
        Arrays.fill(endless, (byte) 0x80);
        assertMalformed("a number runs over ten bytes", () -> new ByteReader(endless).varint());
    }

    @Test
    void negativeLengthsAreMalformed() {
        assertMalformed("truncated: -1 bytes wanted, 4 left", () -> new ByteReader(new byte[4]).bytes(-1));
        assertMalformed(
                "rank is out of range: -1", () -> written(out -> out.varint(-1)).varints("rank"));
    }

    private static ByteReader written(Consumer<ByteWriter> content) {
        ByteWriter out = new ByteWriter();
        content.accept(out);
        return new ByteReader(out.toByteArray());
    }
}
