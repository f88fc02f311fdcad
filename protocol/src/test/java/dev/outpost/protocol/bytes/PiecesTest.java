package dev.outpost.protocol.bytes;

import static dev.outpost.protocol.bytes.LentBuffers.cut;
import static dev.outpost.protocol.bytes.LentBuffers.direct;
import static dev.outpost.protocol.bytes.LentBuffers.numbers;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class PiecesTest {
    /** The bytes that are handed over; each piece holds whole units. */
    private static byte[] collected(Bytes bytes, int unit) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        bytes.forEach(unit, piece -> {
            assertEquals(0, piece.remaining() % unit);
            byte[] copy = new byte[piece.remaining()];
            piece.get(copy);
            all.writeBytes(copy);
        });
        return all.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void handsOverWholeUnitsWhereverTheBordersAre(int unit) {
        Random random = new Random(unit);
        for (int round = 0; round < 500; round++) {
            byte[] bytes = numbers(unit * random.nextInt(0, 200));
            int[] lengths = random.ints(random.nextInt(1, 9), 0, 60).toArray();
            Bytes pieces = cut(bytes, lengths);
            assertEquals(bytes.length, pieces.length());
            assertArrayEquals(bytes, collected(pieces, unit), () -> Arrays.toString(lengths));
            assertArrayEquals(bytes, pieces.toByteArray());
            // They are not used up.
            assertArrayEquals(bytes, collected(pieces, unit));
        }
    }

    @Test
    void theElementsAreLittleEndian() {
        byte[] one = {0, 0, 1, 0, 0, 0};
        List<Integer> seen = new ArrayList<>();
        Bytes pieces = Bytes.of(direct(one, 2, 1), direct(one, 3, 3));
        pieces.forEach(4, piece -> seen.add(piece.getInt(piece.position())));
        assertEquals(List.of(1), seen);
    }

    @Test
    void anArrayIsTakenAsItIs() {
        byte[] bytes = numbers(10);
        Slice slice = assertInstanceOf(Slice.class, Bytes.of(ByteBuffer.wrap(bytes, 2, 5)));
        assertEquals(new Slice(bytes, 2, 5), slice);
    }
}
