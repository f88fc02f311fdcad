package dev.outpost.protocol.bytes;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import dev.outpost.types.MalformedException;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ByteDeltaTest {
    private static final int MAX = 1 << 16;

    @Test
    void equalBytesHaveAnEmptyDifference() {
        byte[] base = {1, 2, 3};
        byte[] delta = ByteDelta.between(base, base.clone());
        assertEquals(0, delta.length);
        assertSame(base, ByteDelta.apply(base, delta, MAX));
    }

    @Test
    void aDifferenceMakesTheTargetOfTheBase() {
        Trials.repeat(2_000, 1, random -> {
            byte[] base = bytes(random, random.nextInt(300));
            byte[] target = edited(base, random);
            assertArrayEquals(target, ByteDelta.apply(base, ByteDelta.between(base, target), MAX));
        });
    }

    @Test
    void fewEditsMakeASmallDifference() {
        Trials.repeat(200, 1, random -> {
            byte[] base = bytes(random, 10_000);
            byte[] target = edited(base, random);
            byte[] delta = ByteDelta.between(base, target);
            assertTrue(delta.length < 1_000, () -> delta.length + " bytes");
        });
    }

    @Test
    void anyBytesAreADifferenceOrMalformed() {
        Trials.repeat(5_000, 1, random -> {
            byte[] base = bytes(random, random.nextInt(30));
            byte[] delta = bytes(random, random.nextInt(20));
            try {
                assertTrue(ByteDelta.apply(base, delta, 100).length <= 100);
            } catch (MalformedException ignored) {
                // Malformed bytes are expected to cause this.
            }
        });
    }

    @Test
    void aCopyOfBytesThatAreNotThereIsRefused() {
        ByteWriter delta = new ByteWriter();
        delta.varint(5);
        delta.varint(0);
        delta.varint(5);
        delta.zigzag(-1);
        assertMalformed(
                "a difference takes 5 bytes at -1 of 8 for 5 that are left",
                () -> ByteDelta.apply(new byte[8], delta.toByteArray(), MAX));
    }

    @Test
    void aResultOverTheBoundIsRefused() {
        ByteWriter delta = new ByteWriter();
        delta.varint(MAX + 1);
        assertMalformed(
                "a difference makes 65537 bytes, over 65536",
                () -> ByteDelta.apply(new byte[8], delta.toByteArray(), MAX));
    }

    private static byte[] bytes(RandomGenerator random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Up to five pieces are replaced by others of up to ten bytes. */
    private static byte[] edited(byte[] base, RandomGenerator random) {
        byte[] edited = base;
        for (int edit = random.nextInt(6); edit > 0; edit--) {
            int from = random.nextInt(edited.length + 1);
            int to = Math.min(edited.length, from + random.nextInt(10));
            ByteWriter out = new ByteWriter();
            out.bytes(edited, 0, from);
            out.bytes(bytes(random, random.nextInt(10)));
            out.bytes(Arrays.copyOfRange(edited, to, edited.length));
            edited = out.toByteArray();
        }
        return edited;
    }
}
