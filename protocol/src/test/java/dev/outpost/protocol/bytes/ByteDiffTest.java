package dev.outpost.protocol.bytes;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.protocol.Trials;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ByteDiffTest {

    @Test
    void patchRoundTripsBetweenAnyBytes() {
        Trials.repeat(3000, 1, random -> {
            byte[] before = new byte[random.nextInt(40)];
            random.nextBytes(before);
            byte[] now = Arrays.copyOf(before, random.nextInt(60));
            for (int change = random.nextInt(5); change > 0 && now.length > 0; change--) {
                now[random.nextInt(now.length)]++;
            }
            ByteReader in = new ByteReader(written(before, now));
            assertArrayEquals(now, ByteDiff.read(in, before, now.length));
            in.expectEnd("patch");
        });
    }

    @Test
    void equalBytesTakeOneAndAreTheSame() {
        byte[] before = new byte[1000];
        byte[] patch = written(before, before.clone());
        assertEquals(1, patch.length);
        assertSame(before, ByteDiff.read(new ByteReader(patch), before, 1000));
    }

    /** Length, two bytes; unchanged bytes, two; the number of changed bytes and these, nine; unchanged to the end, two. */
    @Test
    void aNumberThatChangedIsWrittenAlone() {
        byte[] before = new byte[1000];
        byte[] now = before.clone();
        Arrays.fill(now, 400, 408, (byte) 1);
        assertEquals(15, written(before, now).length);
    }

    @Test
    void patchBeyondItsTargetIsMalformed() {
        byte[] before = new byte[10];
        assertMalformed("a patch makes 11 bytes where at most 10 may be", () -> read(before, 12));
        assertMalformed("a patch keeps 11 bytes that are not there", () -> read(before, 11, 11));
        assertMalformed("a patch keeps 6 bytes that are not there", () -> read(before, 11, 4, 1, 0, 6));
        assertMalformed("a patch changes 2 of 1 bytes", () -> read(before, 11, 9, 2, 0, 0));
    }

    private static void read(byte[] before, int... patch) {
        byte[] bytes = new byte[patch.length];
        for (int index = 0; index < patch.length; index++) {
            bytes[index] = (byte) patch[index];
        }
        ByteDiff.read(new ByteReader(bytes), before, 10);
    }

    private static byte[] written(byte[] before, byte[] now) {
        ByteWriter out = new ByteWriter();
        ByteDiff.write(out, before, now);
        return out.toByteArray();
    }
}
