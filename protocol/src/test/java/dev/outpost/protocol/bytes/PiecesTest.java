package dev.outpost.protocol.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.delivery.Frame;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.Payload;
import dev.outpost.protocol.types.DType;
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
    private static byte[] numbers(int count) {
        byte[] bytes = new byte[count];
        for (int index = 0; index < count; index++) {
            bytes[index] = (byte) (31 * index + index / 256);
        }
        return bytes;
    }

    /** The bytes in direct buffers of those lengths, and the last in one with what is left. */
    private static Bytes cut(byte[] bytes, int... lengths) {
        List<ByteBuffer> buffers = new ArrayList<>();
        int from = 0;
        for (int length : lengths) {
            buffers.add(direct(bytes, from, Math.min(length, bytes.length - from)));
            from += buffers.getLast().remaining();
        }
        buffers.add(direct(bytes, from, bytes.length - from));
        return Bytes.of(buffers.toArray(ByteBuffer[]::new));
    }

    private static ByteBuffer direct(byte[] bytes, int from, int length) {
        return ByteBuffer.allocateDirect(length).put(bytes, from, length).flip();
    }

    /** What is handed over, and that each piece holds whole units. */
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

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 96, 97, 130_000})
    void aChunkIsReadWithoutPuttingItTogether(int length) {
        byte[] data = numbers(length);
        Payload payload = Message.UploadChunk.payload(
                Long.MAX_VALUE, DType.UINT8, Long.MAX_VALUE, Long.MAX_VALUE / 2, new Slice(data));
        byte[] head = Frame.dataHead(1, Long.MAX_VALUE, Long.MAX_VALUE, payload);
        byte[] frame = Arrays.copyOf(head, head.length + length);
        System.arraycopy(data, 0, frame, head.length, length);

        Frame.Data read = (Frame.Data) Frame.decode(cut(frame, 50, 40, 1000));
        Message.UploadChunk chunk =
                (Message.UploadChunk) Message.decodeAll(read.payload()).getFirst();
        assertEquals(Long.MAX_VALUE / 2, chunk.offset());
        assertArrayEquals(data, chunk.bytes().toByteArray());
        if (length > Pieces.HEAD_BYTES) {
            assertInstanceOf(Pieces.class, chunk.bytes());
        }
    }

    @Test
    void messagesBehindEachOtherAreReadFromPieces() {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        for (int number = 0; number < 100; number++) {
            payload.writeBytes(new Message.DownloadChunk(number, 0, numbers(number)).encode());
            payload.writeBytes(new Message.Fetch(number, 2 * number).encode());
        }
        byte[] frame = new Frame.Data(0, 1, 0, payload.toByteArray()).encode();
        Random random = new Random(7);
        for (int round = 0; round < 20; round++) {
            int[] lengths = random.ints(12, 0, 900).toArray();
            Frame.Data read = (Frame.Data) Frame.decode(cut(frame, lengths));
            List<Message> messages = Message.decodeAll(read.payload());
            assertEquals(200, messages.size());
            Message.DownloadChunk chunk = (Message.DownloadChunk) messages.get(2 * 77);
            assertArrayEquals(numbers(77), chunk.bytes().toByteArray());
            assertEquals(new Message.Fetch(99, 198), messages.getLast());
        }
    }

    @Test
    void whatSaysMoreThanCameIsMalformed() {
        byte[] frame = new Frame.Data(0, 1, 0, new Message.DownloadChunk(1, 0, numbers(500)).encode()).encode();
        for (int length = 1; length < frame.length; length++) {
            byte[] less = Arrays.copyOf(frame, length);
            Bytes pieces = cut(less, 30, 80, 200);
            assertThrows(MalformedException.class, () -> Frame.decode(pieces));
        }
        Bytes more = cut(Arrays.copyOf(frame, frame.length + 1), 30, 80, 200);
        assertEquals(
                "malformed input: frame has 1 bytes too many",
                assertThrows(MalformedException.class, () -> Frame.decode(more)).getMessage());
    }
}
