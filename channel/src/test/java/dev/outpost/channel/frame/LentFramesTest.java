package dev.outpost.channel.frame;

import static dev.outpost.protocol.bytes.LentBuffers.cut;
import static dev.outpost.protocol.bytes.LentBuffers.numbers;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Pieces;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames are read where the network put them. */
@Tag("quick")
class LentFramesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 96, 97, 130_000})
    void aChunkIsReadWithoutPuttingItTogether(int length) {
        byte[] data = numbers(length);
        Payload payload = ToRuntime.UploadChunk.payload(
                Long.MAX_VALUE, DType.UINT8, Long.MAX_VALUE, Long.MAX_VALUE / 2, new Slice(data));
        byte[] head = Frame.dataHead(Lane.BULK, Long.MAX_VALUE, Long.MAX_VALUE, payload);
        byte[] frame = Arrays.copyOf(head, head.length + length);
        System.arraycopy(data, 0, frame, head.length, length);

        Frame.Data read = (Frame.Data) Frame.decode(cut(frame, 50, 40, 1000));
        ToRuntime.UploadChunk chunk =
                (ToRuntime.UploadChunk) Message.decodeAll(read.payload()).getFirst();
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
            payload.writeBytes(new ToClient.DownloadChunk(number, 0, numbers(number)).encode());
            payload.writeBytes(new ToRuntime.Fetch(number, 2 * number).encode());
        }
        byte[] frame = new Frame.Data(Lane.CONTROL, 1, 0, payload.toByteArray()).encode();
        Random random = new Random(7);
        for (int round = 0; round < 20; round++) {
            int[] lengths = random.ints(12, 0, 900).toArray();
            Frame.Data read = (Frame.Data) Frame.decode(cut(frame, lengths));
            List<Message> messages = Message.decodeAll(read.payload());
            assertEquals(200, messages.size());
            ToClient.DownloadChunk chunk = (ToClient.DownloadChunk) messages.get(2 * 77);
            assertArrayEquals(numbers(77), chunk.bytes().toByteArray());
            assertEquals(new ToRuntime.Fetch(99, 198), messages.getLast());
        }
    }

    @Test
    void lengthBeyondTheFrameIsMalformed() {
        byte[] frame =
                new Frame.Data(Lane.CONTROL, 1, 0, new ToClient.DownloadChunk(1, 0, numbers(500)).encode()).encode();
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
