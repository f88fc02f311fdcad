package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.BulkCompression;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.CommittedBytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.ExplanationMessage;
import dev.outpost.protocol.message.Feature;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.RuntimeReply;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recorded sessions of builds of each version, byte for byte: this build serves such a client, and reads the answers of such a runtime.
 */
class TranscriptTest {
    private static final int ELEMENTS = 4_100;

    private static ProtocolVersions dialect(String version) {
        return version.equals("8.0")
                ? new ProtocolVersions(0, 0, Set.of(Feature.EXPLAIN, Feature.TRACE))
                : new ProtocolVersions(0, 1, Set.of(Feature.EXPLAIN, Feature.TRACE, Feature.PACKED_BULK));
    }

    /** The messages of a client, by name; it acknowledges nothing, so that it can send them all at once. */
    private static Map<String, byte[]> client(String version) {
        Map<String, byte[]> frames = new LinkedHashMap<>();
        frames.put(
                "client.hello",
                Frame.Connection.of(ConnectionMessages.hello(new UUID(1, 2), false, new long[2], dialect(version)))
                        .encode());
        List<Message> messages = List.of(
                new ToRuntime.RunSegment(
                        new SegmentBuilder().floats(1, 1, 2, 3).neg(2, 1).toByteArray()),
                new ToRuntime.Fetch(1, 2),
                ToRuntime.Request.explain(7, 2),
                new ToRuntime.RunSegment(new SegmentBuilder()
                        .upload(3, 1, DType.FLOAT32, ELEMENTS)
                        .toByteArray()),
                new ToRuntime.Fetch(2, 3),
                new ToRuntime.Free(1, 2, 3),
                ToRuntime.Request.goodbye());
        for (int index = 0; index < messages.size(); index++) {
            frames.put(
                    "client.control-" + (index + 1),
                    new Frame.Data(
                                    Lane.CONTROL,
                                    index + 1,
                                    0,
                                    messages.get(index).encode())
                            .encode());
        }
        frames.put("client.bulk-1", upload(version.equals("8.0")));
        return frames;
    }

    private static byte[] upload(boolean isPlain) {
        byte[] bytes = uploaded();
        Payload payload = ToRuntime.UploadChunk.payload(1, DType.FLOAT32, bytes.length, 0, new Slice(bytes));
        if (isPlain) {
            byte[] head = Frame.dataHead(Lane.BULK, 1, 0, payload);
            byte[] frame = Arrays.copyOf(head, head.length + bytes.length);
            System.arraycopy(bytes, 0, frame, head.length, bytes.length);
            return frame;
        }
        byte[] packed = new byte[bytes.length];
        int size = BulkCompression.pack(
                BulkCompression.deflater(),
                bytes,
                bytes.length,
                payload.elementBytes(),
                new byte[bytes.length],
                packed);
        Slice body = new Slice(packed, 0, size);
        return new Frame.Packed(Lane.BULK, 1, 0, payload.head(), payload.elementBytes(), bytes.length, body).encode();
    }

    private static byte[] uploaded() {
        ByteBuffer bytes = ByteBuffer.allocate(4 * ELEMENTS).order(ByteOrder.LITTLE_ENDIAN);
        for (int index = 0; index < ELEMENTS; index++) {
            bytes.putFloat(index);
        }
        return bytes.array();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0", "8.1"})
    void aSessionOfEachVersionIsServedAndRead(String version) throws InterruptedException {
        Map<String, byte[]> today = new LinkedHashMap<>(client(version));
        serve(today).forEach(today::put);
        Map<String, byte[]> committed = CommittedBytes.read(getClass(), "session-" + version + ".txt", today);

        check(version, committed);
        Map<String, byte[]> clientOfThen = new LinkedHashMap<>(committed);
        clientOfThen.keySet().removeIf(name -> name.startsWith("runtime."));
        check(version, serve(clientOfThen));
    }

    /** The answers of this build. */
    private static Map<String, byte[]> serve(Map<String, byte[]> client) throws InterruptedException {
        LinkedBlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        RuntimeSettings settings = RuntimeSettings.withQuota(1 << 20);
        try (ReferenceEngine engine = new ReferenceEngine();
                RuntimeHost host = new RuntimeHost(engine, settings)) {
            RuntimeConnection connection = host.accept(new Wire(answers));
            client.values().forEach(connection::onFrame);
            Map<String, byte[]> frames = new LinkedHashMap<>();
            while (frames.values().stream().noneMatch(TranscriptTest::isFarewell)) {
                byte[] frame = Await.next("the runtime answers", answers);
                frames.put("runtime." + (frames.size() + 1), frame);
            }
            return frames;
        }
    }

    private static boolean isFarewell(byte[] frame) {
        return messages(frame).stream()
                .anyMatch(message ->
                        message instanceof ToClient.Reply told && told.reply().hasFarewell());
    }

    private static List<Message> messages(byte[] frame) {
        return switch (Frame.decode(frame)) {
            case Frame.Data data -> Message.decodeAll(data.payload());
            case Frame.Packed packed -> Message.decodeAll(packed.unpack().payload());
            case Frame.Ack _, Frame.Connection _ -> List.of();
        };
    }

    /** Checks the messages in the runtime's frames. */
    private static void check(String version, Map<String, byte[]> frames) {
        List<Message> messages = new ArrayList<>();
        Set<Feature> features = Set.of();
        for (Map.Entry<String, byte[]> frame : frames.entrySet()) {
            if (frame.getKey().startsWith("runtime.")) {
                messages.addAll(messages(frame.getValue()));
                if (Frame.decode(frame.getValue()) instanceof Frame.Connection connection) {
                    assertTrue(connection.message().hasWelcome(), connection::toString);
                    features = dialect(version)
                            .accept(connection.message().getWelcome())
                            .features();
                }
            }
        }
        assertEquals(dialect(version).features(), features);
        assertArrayEquals(floats(-1, -2, -3), fetched(messages, 1).bytes());
        assertEquals(ELEMENTS, fetched(messages, 2).type().shape().elements());
        assertArrayEquals(uploaded(), downloaded(messages));
        RuntimeReply explained = reply(messages, RuntimeReply.KindCase.EXPLAINED);
        assertEquals(
                "%2",
                ExplanationMessage.read(explained.getExplained().getExplanation())
                        .value());
        assertEquals(
                List.of(),
                reply(messages, RuntimeReply.KindCase.FAREWELL).getFarewell().getUnseenList());
    }

    private static ToClient.Fetched fetched(List<Message> messages, long fetch) {
        return messages.stream()
                .filter(ToClient.Fetched.class::isInstance)
                .map(ToClient.Fetched.class::cast)
                .filter(message -> message.fetch() == fetch)
                .findFirst()
                .orElseThrow();
    }

    private static byte[] downloaded(List<Message> messages) {
        byte[] bytes = new byte[4 * ELEMENTS];
        messages.stream()
                .filter(ToClient.DownloadChunk.class::isInstance)
                .map(ToClient.DownloadChunk.class::cast)
                .forEach(chunk -> {
                    byte[] piece = chunk.bytes().toByteArray();
                    System.arraycopy(piece, 0, bytes, (int) chunk.offset(), piece.length);
                });
        return bytes;
    }

    private static RuntimeReply reply(List<Message> messages, RuntimeReply.KindCase kind) {
        return messages.stream()
                .filter(ToClient.Reply.class::isInstance)
                .map(message -> ((ToClient.Reply) message).reply())
                .filter(reply -> reply.getKindCase() == kind)
                .findFirst()
                .orElseThrow();
    }

    private static byte[] floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }

    private record Wire(LinkedBlockingQueue<byte[]> answers) implements FrameChannel {
        @Override
        public void send(Lane lane, byte[] frame) {
            answers.add(frame);
        }

        @Override
        public void close(String reason) {
            // A missing answer fails the comparison.
        }
    }
}
