package dev.outpost.protocol.message;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Collective;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MessageTest {
    private static final Fault FAULT = Fault.newBuilder()
            .setKind(FaultKind.RESOURCES.code())
            .setOp("matmul")
            .setMessage("matmul: 3 GiB asked, 1 GiB free")
            .setSource("Train.java:12")
            .setNumber(1L << 33)
            .build();
    private static final byte[] BYTES = {1, -2, 3};

    private static final SegmentBundle BUNDLE = SegmentBundle.of(
            1L << 33, -1, List.of(0, 2), List.of(new ToRuntime.RunSegment(BYTES).encode(), new byte[] {1}));

    /** In the order of the kinds on the wire. */
    private static final List<Message> SAMPLES = List.of(
            new ToRuntime.RunSegment(BYTES),
            new ToRuntime.RememberSegment(127, BYTES),
            new ToRuntime.RepeatSegment(128, BYTES),
            new ToRuntime.Fetch(3, 1L << 40),
            new ToRuntime.Free(1, 128, Long.MAX_VALUE),
            new ToRuntime.UploadChunk(4, DType.BFLOAT16, 1L << 35, 1L << 34, BYTES),
            new ToRuntime.DefineProgram(63, BYTES),
            new ToRuntime.RunProgram(63, 1L << 33, BYTES),
            new ToRuntime.DropProgram(63),
            new ToRuntime.GrantEmissions(1L << 33, 1L << 32),
            new ToRuntime.CancelScan(1L << 33),
            ToRuntime.Request.explain(5, 6),
            new ToClient.Progress(1, 2, 3, 4, 5, 6),
            new ToClient.Fetched(7, new TensorType(DType.INT8, Shape.of(3, 1)), BYTES),
            new ToClient.DownloadChunk(9, 300, BYTES),
            new ToClient.Scanned(1L << 33, 1L << 32, true),
            ToClient.Reply.of(Failed.newBuilder().setFault(FAULT).build()),
            new ToRuntime.AskSource(SourceRequest.newBuilder()
                    .setRequest(1L << 33)
                    .setQuestion(SourceQuestion.newBuilder()
                            .setOpen(SourceQuestion.Open.newBuilder().setUri("s3://bucket/ä")))
                    .build()),
            new ToRuntime.SaveModel(SaveRequest.newBuilder()
                    .setRequest(1L << 33)
                    .setUri("file:/x")
                    .setShardBytes(1L << 32)
                    .build()),
            new ToRuntime.AskPeers(PeerRequest.newBuilder()
                    .setRequest(1L << 33)
                    .setQuestion(PeerQuestion.newBuilder()
                            .setOpen(PeerQuestion.Open.newBuilder()
                                    .setGroup("g")
                                    .setKey("k")
                                    .setRank(2)
                                    .setSize(3)))
                    .build()),
            new ToRuntime.PassSegment(BUNDLE),
            new ToRuntime.TakeSegment(1L << 33, -1, 2));

    @Test
    void aPayloadOfAChunkIsTheMessageInTwoPieces() {
        Slice data = new Slice(BYTES);
        assertSame(
                ToRuntime.UploadChunk.payload(4, DType.FLOAT32, 1000, 300, data),
                new ToRuntime.UploadChunk(4, DType.FLOAT32, 1000, 300, data));
        assertSame(ToClient.DownloadChunk.payload(9, 300, data, 4), new ToClient.DownloadChunk(9, 300, data));
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
        var chunk = new ToRuntime.UploadChunk(1, DType.UINT8, 6, 2, new Slice(data, 2, 3));
        byte[] encoded = chunk.encode();
        var read = assertInstanceOf(
                ToRuntime.UploadChunk.class, Message.decodeAll(encoded).getFirst());
        Assertions.assertSame(encoded, ((Slice) read.bytes()).array());
        assertArrayEquals(new byte[] {3, 4, 5}, read.bytes().toByteArray());
    }

    @Test
    void everyKindHasASample() {
        assertEquals(leaves(Message.class).collect(Collectors.toSet()), new HashSet<>(classes(SAMPLES)));
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(MessageTest::leaves)
                : Stream.of(type);
    }

    @Test
    void everyKindRoundTrips() throws ReflectiveOperationException {
        for (Message message : SAMPLES) {
            assertSame(message, Message.decodeAll(message.encode()).getFirst());
        }
    }

    @Test
    void everyKindBelongsOnOneLaneAndIsNamedOnOthers() {
        List<Class<? extends Message>> lanes = List.of(
                ToRuntime.Control.class,
                ToRuntime.UploadChunk.class,
                ToClient.Control.class,
                ToClient.DownloadChunk.class);
        for (Message message : SAMPLES) {
            String name = message.getClass().getSimpleName();
            Slice kind = new Slice(message.encode());
            int accepting = 0;
            for (Class<? extends Message> lane : lanes) {
                if (lane.isInstance(message)) {
                    Message.decodeEach(kind, lane, read -> Assertions.assertSame(message.getClass(), read.getClass()));
                    accepting++;
                } else {
                    assertMalformed(
                            name + " does not belong on this lane", () -> Message.decodeEach(kind, lane, read -> {}));
                }
            }
            assertEquals(1, accepting, name);
        }
    }

    /** Only the kind of the message is used, nothing else of it. */
    @Test
    void messageOnAnotherLaneIsNotRead() {
        for (Message message : SAMPLES) {
            Class<? extends Message> other = message instanceof ToClient ? ToRuntime.class : ToClient.class;
            Slice kind = new Slice(message.encode(), 0, 1);
            assertMalformed(
                    message.getClass().getSimpleName() + " does not belong on this lane",
                    () -> Message.decodeEach(kind, other, read -> {}));
        }
    }

    @Test
    void idsOfAFreeTakeWhatTheirBytesTake() {
        long[] ids = LongStream.range(7, 7 + Message.MAX_FREED).toArray();
        ToRuntime.Free free = (ToRuntime.Free)
                Message.decodeAll(new ToRuntime.Free(ids).encode()).getFirst();
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
                // Malformed bytes are expected to cause this.
            }
        });
    }

    @Test
    void unknownKindsAreMalformed() {
        assertMalformed("message kind 0 is unknown", () -> Message.decodeAll(new byte[] {0}));
        assertMalformed("message kind 23 is unknown", () -> Message.decodeAll(new byte[] {23}));
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
        byte[] free = {5, -1, -1, -1, -1, 7};
        assertMalformed("free count is over 1048576: 2147483647", () -> Message.decodeAll(free));
        byte[] run = {1, -1, -1, -1, -1, 15};
        assertMalformed("block length is out of range: 4294967295", () -> Message.decodeAll(run));
    }

    @Test
    void questionsOfMoreThanTheirBoundAreMalformed() {
        assertMalformed("a request of 1100000 bytes is over 1048576", () -> Message.decodeAll(block(12, 1_100_000)));
        assertMalformed(
                "a question about sources of 70000 bytes is over 65536", () -> Message.decodeAll(block(18, 70_000)));
        assertMalformed(
                "a question about peers of 70000 bytes is over 65536", () -> Message.decodeAll(block(20, 70_000)));
    }

    @Test
    void membersThatCannotBeAreMalformed() {
        assertMalformed("member 3 of 3 cannot be", () -> Message.decodeAll(open(3, 3)));
        assertMalformed("member 0 of 0 cannot be", () -> Message.decodeAll(open(0, 0)));
        assertMalformed("member 4294967295 of 2 cannot be", () -> Message.decodeAll(open(-1, 2)));
        int tooMany = Collective.MAX_MEMBERS + 1;
        assertMalformed("member 0 of " + tooMany + " cannot be", () -> Message.decodeAll(open(0, tooMany)));
        PeerQuestion join = PeerQuestion.newBuilder()
                .setJoin(PeerQuestion.Join.newBuilder().addAllAddresses(Collections.nCopies(tooMany, "")))
                .build();
        assertMalformed(
                "a group has " + tooMany + " members, over " + Collective.MAX_MEMBERS,
                () -> Message.decodeAll(asked(join)));
    }

    @Test
    void aPatienceWithoutBoundIsMalformed() {
        for (long millis : new long[] {0, -1, 86_400_001}) {
            PeerQuestion join = PeerQuestion.newBuilder()
                    .setJoin(PeerQuestion.Join.newBuilder().setPatienceMillis(millis))
                    .build();
            assertMalformed(
                    "a patience of " + Long.toUnsignedString(millis) + " ms is not from 1 to 86400000",
                    () -> Message.decodeAll(asked(join)));
        }
    }

    @Test
    void aNameOfAGroupWithoutBoundIsMalformed() {
        PeerQuestion open = PeerQuestion.newBuilder()
                .setOpen(PeerQuestion.Open.newBuilder()
                        .setGroup("g".repeat(100))
                        .setKey("k".repeat(101))
                        .setSize(1))
                .build();
        assertMalformed("a group's name and key have 201 bytes, over 200", () -> Message.decodeAll(asked(open)));
    }

    private static byte[] open(int rank, int size) {
        return asked(PeerQuestion.newBuilder()
                .setOpen(PeerQuestion.Open.newBuilder().setRank(rank).setSize(size))
                .build());
    }

    private static byte[] asked(PeerQuestion question) {
        return new ToRuntime.AskPeers(
                        PeerRequest.newBuilder().setQuestion(question).build())
                .encode();
    }

    @Test
    void theKeyOfAGroupIsNotShown() {
        String text = Message.decodeAll(asked(PeerQuestion.newBuilder()
                        .setOpen(PeerQuestion.Open.newBuilder().setKey("secret").setSize(1))
                        .build()))
                .toString();
        assertFalse(text.contains("secret"), text);
    }

    private static byte[] block(int kind, int bytes) {
        ByteWriter out = new ByteWriter();
        out.u8(kind);
        out.block(new byte[bytes]);
        return out.toByteArray();
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
            assertEquals(index + 1, SAMPLES.get(index).encode()[0]);
        }
    }

    private static byte[] fetched(long... sizes) {
        ByteWriter out = new ByteWriter();
        out.u8(14);
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

    /** Records with arrays are equal only if they are the same object, so the components are compared. */
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
