package dev.outpost.protocol.tape;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Unary;
import dev.outpost.types.MalformedException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls are written as changes, and are unchanged after they are read. */
@Tag("quick")
class ProgramCallTest {
    private static final ProgramSignature SIGNATURE = new ProgramSignature(
            List.of(new ProgramSignature.Place(0, 1, 0), new ProgramSignature.Place(1, 0, 1)),
            2,
            new int[] {2},
            ProgramSignature.NONE,
            List.of(new ProgramSignature.Carry(0, 1)),
            ProgramSignature.NONE,
            new int[] {0},
            new int[] {0, 1, 2});

    private static ProgramCall random(Random random) {
        long first = 1 + random.nextInt(1000);
        return new ProgramCall(
                1 + random.nextInt(100),
                random.longs(12, 1, 1L << 50).toArray(),
                new boolean[] {
                    true, false, true, true, false, false, true, false, true, true, false, random.nextBoolean()
                },
                new long[] {first, first + 1, first + 2},
                random.nextLong() >> 1,
                random.nextInt(1000),
                new long[][] {
                    random.longs(1 + random.nextInt(5)).toArray(),
                    random.longs(1).toArray()
                },
                random.nextInt(1000),
                random.nextInt(1000));
    }

    private static void assertSame(ProgramCall expected, ProgramCall actual) {
        assertEquals(expected.iterations(), actual.iterations());
        assertArrayEquals(expected.inputs(), actual.inputs());
        assertArrayEquals(expected.consumed(), actual.consumed());
        assertArrayEquals(expected.outputs(), actual.outputs());
        assertEquals(expected.seed(), actual.seed());
        assertEquals(expected.firstDraw(), actual.firstDraw());
        assertArrayEquals(expected.numbers(), actual.numbers());
        assertEquals(expected.firstFetch(), actual.firstFetch());
        assertEquals(expected.granted(), actual.granted());
    }

    @Test
    void callRoundTripsFromItsChanges() {
        Random random = new Random(5);
        ProgramCall sent = ProgramCall.none(12, SIGNATURE);
        ProgramCall received = sent;
        for (int time = 0; time < 200; time++) {
            ProgramCall next = random(random);
            received = received.next(next.since(sent, SIGNATURE), SIGNATURE);
            assertSame(next, received);
            sent = next;
        }
    }

    /** Runs 1, ids that move on by one distance 4, flags 2, seed 1, draw 1, numbers 9 each, fetch and grant 2. */
    @Test
    void aStepOfALoopTakesAFewBytes() {
        ProgramCall first = random(new Random(1));
        ProgramCall second = new ProgramCall(
                1,
                Arrays.stream(first.inputs()).map(id -> id + 30).toArray(),
                first.consumed(),
                Arrays.stream(first.outputs()).map(id -> id + 30).toArray(),
                first.seed(),
                first.firstDraw() + 1,
                new long[][] {{1}, {2}},
                7,
                9);
        int bytes = second.since(first, SIGNATURE).length;
        assertTrue(bytes <= 31, () -> bytes + " bytes");
    }

    @Test
    void damagedCallIsMalformedOrValid() {
        Random random = new Random(9);
        ProgramCall before = random(random);
        byte[] bytes = random(random).since(before, SIGNATURE);
        for (int end = 0; end < bytes.length; end++) {
            byte[] cut = Arrays.copyOf(bytes, end);
            assertThrows(MalformedException.class, () -> before.next(cut, SIGNATURE));
        }
        for (int attempt = 0; attempt < 20_000; attempt++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            try {
                assertTrue(before.next(damaged, SIGNATURE).iterations() != 0);
            } catch (MalformedException malformed) {
                assertTrue(malformed.getMessage().length() > 0);
            }
        }
    }

    @Test
    void codeComesBackAndDamageIsMalformed() {
        SegmentWriter writer = new SegmentWriter();
        writer.addInput(77);
        writer.begin(Unary.NEG, 1);
        writer.input(0);
        writer.finish(Unary.NEG, 99, 1);
        ProgramSignature signature = new ProgramSignature(
                List.of(),
                0,
                new int[0],
                ProgramSignature.NONE,
                List.of(new ProgramSignature.Carry(0, 0)),
                ProgramSignature.NONE,
                new int[] {0},
                new int[] {0});
        byte[] bytes = ProgramCode.write(writer, signature);
        ProgramCode code = ProgramCode.read(bytes);
        assertEquals(1, code.inputs());
        assertEquals(1, code.instructions());
        assertEquals(signature.carries(), code.signature().carries());
        Random random = new Random(3);
        for (int attempt = 0; attempt < 20_000; attempt++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            try {
                assertTrue(ProgramCode.read(damaged).instructions() >= 0);
            } catch (MalformedException malformed) {
                assertTrue(malformed.getMessage().length() > 0);
            }
        }
    }
}
