package dev.outpost.protocol.message;

import static dev.outpost.protocol.Refusals.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MessageTest {
    private static final Fault FAULT =
            new Fault(FaultKind.RESOURCES, "matmul", "matmul: 3 GiB asked, 1 GiB free", "Train.java:12", 1L << 33);
    private static final byte[] BYTES = {1, -2, 3};

    private static final List<Message> SAMPLES = List.of(
            new Message.RunSegment(BYTES),
            new Message.Fetch(3, 1L << 40),
            new Message.Free(new long[] {1, 128, Long.MAX_VALUE}),
            new Message.UploadChunk(4, DType.BFLOAT16, 1L << 35, 1L << 34, BYTES),
            new Message.Goodbye(),
            new Message.Progress(1, 2, 3, 4, 5, 6),
            new Message.Fetched(7, new TensorType(DType.INT8, Shape.of(3, 1)), BYTES),
            new Message.FetchFailed(8, FAULT, new long[] {9, 10}),
            new Message.DownloadChunk(9, 300, BYTES),
            new Message.Farewell(List.of(FAULT, Fault.of(FaultKind.USER, "no"))),
            new Message.RememberSegment(127, BYTES),
            new Message.RepeatSegment(128, BYTES),
            new Message.DefineProgram(63, BYTES),
            new Message.RunProgram(63, 1L << 33, BYTES),
            new Message.DropProgram(63),
            new Message.GrantEmissions(1L << 33, 1L << 32),
            new Message.CancelScan(1L << 33),
            new Message.Scanned(1L << 33, 1L << 32, true),
            new Message.Explain(5, 6),
            new Message.Explained(5, BYTES),
            new Message.Trace(6),
            new Message.Traced(6, -7, Long.MIN_VALUE, true, BYTES),
            new Message.ExplainProgram(1L << 33, 63),
            new Message.Failed(FAULT),
            new Message.UpdateFailed(1L << 33, 3, FAULT),
            new Message.AskSource(1L << 33, BYTES),
            new Message.SourceAnswered(1L << 33, true, BYTES),
            new Message.SourceFailed(1L << 33, FAULT),
            new Message.AskPeers(1L << 33, BYTES),
            new Message.PeersAnswered(1L << 33, BYTES),
            new Message.PeersFailed(1L << 33, FAULT));

    /** In the order of the samples. */
    private static final int[] KINDS = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
        31
    };

    @Test
    void aPayloadOfAChunkIsTheMessageInTwoPieces() {
        Slice data = new Slice(BYTES);
        assertSame(
                Message.UploadChunk.payload(4, DType.FLOAT32, 1000, 300, data),
                new Message.UploadChunk(4, DType.FLOAT32, 1000, 300, data));
        assertSame(Message.DownloadChunk.payload(9, 300, data), new Message.DownloadChunk(9, 300, data));
    }

    private static void assertSame(Payload payload, Message message) {
        ByteWriter whole = new ByteWriter();
        whole.bytes(payload.head());
        whole.bytes(payload.body().toByteArray());
        assertArrayEquals(message.encode(), whole.toByteArray(), message::toString);
    }

    @Test
    void theDataOfAChunkAreNotCopied() {
        byte[] data = {1, 2, 3, 4, 5, 6};
        var chunk = new Message.UploadChunk(1, DType.UINT8, 6, 2, new Slice(data, 2, 3));
        byte[] encoded = chunk.encode();
        var read = assertInstanceOf(
                Message.UploadChunk.class, Message.decodeAll(encoded).getFirst());
        Assertions.assertSame(encoded, ((Slice) read.bytes()).array());
        assertArrayEquals(new byte[] {3, 4, 5}, read.bytes().toByteArray());
    }

    @Test
    void everyKindHasASample() {
        assertEquals(Set.of(Message.class.getPermittedSubclasses()), new HashSet<>(classes(SAMPLES)));
    }

    @Test
    void everyKindRoundTrips() throws ReflectiveOperationException {
        for (Message message : SAMPLES) {
            assertSame(message, Message.decodeAll(message.encode()).getFirst());
        }
    }

    @Test
    void everyKindBelongsOnOneLaneAndIsNamedOnOthers() {
        for (Message message : SAMPLES) {
            int code = message.encode()[0];
            String name = message.getClass().getSimpleName();
            int accepting = 0;
            for (Route route : Route.values()) {
                try {
                    route.require(code);
                    accepting++;
                } catch (MalformedException misplaced) {
                    assertTrue(misplaced.getMessage().contains(": " + name + " does not belong on the "), name);
                }
            }
            assertEquals(1, accepting, name);
        }
    }

    @Test
    void idsOfAFreeTakeWhatTheirBytesTake() {
        long[] ids = LongStream.range(7, 7 + Message.MAX_FREED).toArray();
        Message.Free free =
                (Message.Free) Message.decodeAll(new Message.Free(ids).encode()).getFirst();
        assertEquals(Message.MAX_FREED, free.values().count());
        assertTrue(free.values().bytes() < 8, () -> free.values().bytes() + " bytes");
        List<Long> seen = new ArrayList<>();
        free.values().forEach(seen::add);
        assertArrayEquals(ids, seen.stream().mapToLong(id -> id).toArray());
    }

    @Test
    void manyMessagesShareAPayload() {
        ByteWriter payload = new ByteWriter();
        SAMPLES.forEach(message -> message.write(payload));
        assertEquals(classes(SAMPLES), classes(Message.decodeAll(payload.toByteArray())));
        assertEquals(List.of(), Message.decodeAll(new byte[0]));
    }

    @Test
    void everyKindIsMalformedWhereverItEnds() {
        for (Message message : SAMPLES) {
            byte[] bytes = message.encode();
            for (int end = 1; end < bytes.length; end++) {
                byte[] cut = Arrays.copyOf(bytes, end);
                assertThrows(MalformedException.class, () -> Message.decodeAll(cut), message::toString);
            }
        }
    }

    @Test
    void mutationIsNeverMoreThanMalformed() {
        Trials.repeat(20_000, 1, random -> {
            byte[] bytes = SAMPLES.get(random.nextInt(SAMPLES.size())).encode();
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                Message.decodeAll(bytes);
            } catch (MalformedException expected) {
                // That is what it is for.
            }
        });
    }

    @Test
    void unknownKindsAreMalformed() {
        assertMalformed("message kind 0 is unknown", () -> Message.decodeAll(new byte[] {0}));
        assertMalformed("message kind 32 is unknown", () -> Message.decodeAll(new byte[] {32}));
    }

    @Test
    void impossibleShapesAreMalformed() {
        assertMalformed(
                "a value cannot have that type: shape: sizes must not be negative, got [-1]",
                () -> Message.decodeAll(fetched(-1)));
        assertMalformed(
                "a value cannot have that type: shape: at most 64 dimensions, got 65",
                () -> Message.decodeAll(fetched(new long[65])));
    }

    @Test
    void countsAreCheckedBeforeAnythingIsAllocated() {
        byte[] free = {3, -1, -1, -1, -1, 7};
        assertMalformed("free count is over 1048576: 2147483647", () -> Message.decodeAll(free));
        byte[] farewell = {10, -1, -1, -1, -1, 7};
        assertMalformed("fault count says 2147483647 but only 0 bytes follow", () -> Message.decodeAll(farewell));
        byte[] run = {1, -1, -1, -1, -1, 15};
        assertMalformed("block length is out of range: 4294967295", () -> Message.decodeAll(run));
    }

    /** Kinds are on the wire: this list may grow at its end and change nowhere else. */
    @Test
    void faultKindsAreStable() {
        assertEquals("[USER, RESOURCES, INTERNAL, EXTERNAL]", Arrays.toString(FaultKind.values()));
        for (FaultKind kind : FaultKind.values()) {
            assertEquals(kind, FaultKind.ofCode(kind.code()));
        }
        assertMalformed("fault kind 4 is unknown", () -> FaultKind.ofCode(4));
    }

    @Test
    void kindsOnTheWireAreStable() {
        for (int index = 0; index < SAMPLES.size(); index++) {
            assertEquals(KINDS[index], SAMPLES.get(index).encode()[0]);
        }
    }

    private static byte[] fetched(long... sizes) {
        ByteWriter out = new ByteWriter();
        out.u8(7);
        out.varint(1);
        out.u8(DType.INT8.code());
        out.varints(sizes);
        out.block(BYTES);
        return out.toByteArray();
    }

    private static List<Class<? extends Message>> classes(List<Message> messages) {
        return messages.stream()
                .<Class<? extends Message>>map(Message::getClass)
                .toList();
    }

    /** Records of arrays are equal only when they are one, so the components are compared. */
    private static void assertSame(Message expected, Message actual) throws ReflectiveOperationException {
        assertEquals(expected.getClass(), actual.getClass());
        assertArrayEquals(expected.encode(), actual.encode());
        for (var component : expected.getClass().getRecordComponents()) {
            Object[] left = {component.getAccessor().invoke(expected)};
            Object[] right = {component.getAccessor().invoke(actual)};
            assertTrue(Arrays.deepEquals(left, right), expected + "." + component.getName());
        }
    }
}
