package dev.outpost.protocol.bytes;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.Trials;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class DeltaEncodingTest {

    @Test
    void numbersRoundTrip() {
        Trials.repeat(2000, 1, random -> assertComesBack(numbers(random)));
        assertComesBack();
        assertComesBack(0, 0, 0);
        assertComesBack(Long.MAX_VALUE, 0, Long.MAX_VALUE);
    }

    /** Stretches of equal steps, of lengths that are written as runs and of lengths that are not. */
    private static long[] numbers(RandomGenerator random) {
        LongStream.Builder numbers = LongStream.builder();
        long value = 0;
        for (int stretch = random.nextInt(6); stretch > 0; stretch--) {
            long step = random.nextLong() >> 2 + random.nextInt(62);
            for (int length = random.nextInt(5); length >= 0; length--) {
                value = Math.max(-1L << 61, Math.min(1L << 61, value)) + step;
                numbers.add(value);
            }
        }
        return numbers.build().toArray();
    }

    /** The first number, the step of one, the mark of a run and its length: two bytes, one, one and two. */
    @Test
    void arithmeticSequenceTakesNoBytes() {
        assertEquals(6, size(LongStream.range(5000, 6000).toArray()));
        assertEquals(6, size(LongStream.range(0, 1000).map(id -> 6000 - id).toArray()));
        assertEquals(6, size(LongStream.range(0, 1000).map(id -> 5000 + 3 * id).toArray()));
    }

    @Test
    void aSmallStepTakesAByte() {
        assertEquals(4, size(1, 3, 6, 10));
    }

    @Test
    void aRunIsNoLongerThanWhatFollows() {
        ByteWriter out = new ByteWriter();
        out.varint(3);
        out.varint(0);
        out.varint(4);
        assertMalformed(
                "a run of 4 numbers where at most 3 follow",
                () -> DeltaEncoding.read(new ByteReader(out.toByteArray()), 4));
    }

    @Test
    void unencodableNumbersAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> size(Long.MIN_VALUE));
    }

    private static void assertComesBack(long... numbers) {
        ByteWriter out = new ByteWriter();
        DeltaEncoding.write(out, numbers);
        ByteReader in = new ByteReader(out.toByteArray());
        assertArrayEquals(numbers, DeltaEncoding.read(in, numbers.length));
        in.expectEnd("numbers");
    }

    private static int size(long... numbers) {
        ByteWriter out = new ByteWriter();
        DeltaEncoding.write(out, numbers);
        return out.size();
    }
}
