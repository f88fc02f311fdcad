package dev.outpost.channel.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class FrameMarshallerTest {
    private static final FrameMarshaller MARSHALLER = new FrameMarshaller();

    private static WireFrame frame(int headBytes, int bodyBytes) {
        byte[] body = new byte[bodyBytes + 7];
        for (int index = 0; index < body.length; index++) {
            body[index] = (byte) (31 * index);
        }
        return new WireFrame(
                "head".repeat(headBytes).substring(0, headBytes).getBytes(), new Slice(body, 5, bodyBytes));
    }

    private static byte[] whole(WireFrame frame) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(frame.head());
        out.writeBytes(frame.body().toByteArray());
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 126, 127, 128, 16_384, 300_000})
    void speaksAsTheGeneratedClassDoes(int bodyBytes) throws IOException {
        WireFrame frame = frame(3, bodyBytes);
        Envelope generated = Envelope.newBuilder()
                .setFrame(ByteString.copyFrom(whole(frame)))
                .build();
        InputStream stream = MARSHALLER.stream(frame);
        assertEquals(generated.getSerializedSize(), ((KnownLength) stream).available());
        assertArrayEquals(generated.toByteArray(), stream.readAllBytes());

        ByteArrayOutputStream drained = new ByteArrayOutputStream();
        Drainable drainable = (Drainable) MARSHALLER.stream(frame);
        assertEquals(generated.getSerializedSize(), drainable.drainTo(drained));
        assertArrayEquals(generated.toByteArray(), drained.toByteArray());
    }

    @Test
    void streamThatWasReadIsNotDrainedAgain() throws IOException {
        InputStream stream = MARSHALLER.stream(frame(3, 200));
        byte[] first = stream.readNBytes(150);
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        ((Drainable) stream).drainTo(rest);
        byte[] all = MARSHALLER.stream(frame(3, 200)).readAllBytes();
        assertEquals(all.length, first.length + rest.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 127, 128, 300_000})
    void readsWhatTheGeneratedClassWrites(int bytes) {
        WireFrame frame = frame(bytes, 0);
        byte[] message = envelope(frame);
        assertArrayEquals(frame.head(), read(MARSHALLER.parse(new ByteArrayInputStream(message))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16_384, 100_000})
    void aLargeFrameStaysInTheNetworksBuffersUntilItIsReleased(int bufferBytes) {
        WireFrame sent = frame(40_000, 0);
        LentMessage message = new LentMessage(envelope(sent), bufferBytes);
        WireFrame frame = MARSHALLER.parse(message);
        assertTrue(message.isDetached());
        for (ByteBuffer piece : frame.content()) {
            assertTrue(piece.isDirect());
        }
        assertArrayEquals(sent.head(), read(frame));
        assertFalse(message.isGivenBack());
        frame.release();
        assertTrue(message.isGivenBack());
    }

    @Test
    void aSmallFrameIsCopied() {
        WireFrame sent = frame(FrameMarshaller.LARGE_BYTES - 1, 0);
        LentMessage message = new LentMessage(envelope(sent), 1000);
        WireFrame frame = MARSHALLER.parse(message);
        assertFalse(message.isDetached());
        assertArrayEquals(sent.head(), read(frame));
        frame.release();
    }

    private static byte[] envelope(WireFrame frame) {
        return Envelope.newBuilder()
                .setFrame(ByteString.copyFrom(whole(frame)))
                .build()
                .toByteArray();
    }

    private static byte[] read(WireFrame frame) {
        return Bytes.of(frame.content()).toByteArray();
    }

    @Test
    void refusesWhatIsNoEnvelope() {
        assertRefused("a message is no envelope of a frame: it does not begin with the frame");
        assertRefused("a message is no envelope of a frame: it does not begin with the frame", 0x12, 1, 0);
        assertRefused("a message is no envelope of a frame: its length is not the stated one", 0x0a, 3, 1, 2);
        assertRefused("a message is no envelope of a frame: its length is not the stated one", 0x0a, 1, 1, 2);
        assertRefused("a message is no envelope of a frame: a frame of 268435455 bytes", 0x0a, 0xff, 0xff, 0xff, 0x7f);
        assertRefused(
                "a message is no envelope of a frame: a frame of 4294967295 bytes", 0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f);
    }

    private static void assertRefused(String problem, int... message) {
        byte[] bytes = new byte[message.length];
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] = (byte) message[index];
        }
        Status status = assertThrows(
                        StatusRuntimeException.class, () -> MARSHALLER.parse(new ByteArrayInputStream(bytes)))
                .getStatus();
        assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode());
        assertEquals(problem, status.getDescription());
    }
}
