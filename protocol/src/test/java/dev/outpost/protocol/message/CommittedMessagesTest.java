package dev.outpost.protocol.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import dev.outpost.protocol.CommittedBytes;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages of each version of the protocol, written by builds of that version, can still be read. Messages with a custom
 * codec are also written with the same bytes; protobuf may reorder fields.
 */
@Tag("quick")
class CommittedMessagesTest {
    private static final byte[] BYTES = {1, -2, 3};

    private static final Fault FAULT = Fault.newBuilder()
            .setKind(FaultKind.RESOURCES.code())
            .setOp("matmul")
            .setMessage("matmul: 3 GiB asked, 1 GiB free")
            .setSource("Train.java:12")
            .setNumber(1L << 33)
            .build();

    private static final List<Message> FREQUENT = List.of(
            new ToRuntime.RunSegment(BYTES),
            new ToRuntime.RememberSegment(127, BYTES),
            new ToRuntime.RepeatSegment(128, BYTES),
            new ToRuntime.Fetch(3, 1L << 40),
            new ToRuntime.Free(1, 2, 3, 128, Long.MAX_VALUE),
            new ToRuntime.UploadChunk(4, DType.BFLOAT16, 1L << 35, 1L << 34, BYTES),
            new ToRuntime.DefineProgram(63, BYTES),
            new ToRuntime.RunProgram(63, 1L << 33, BYTES),
            new ToRuntime.DropProgram(63),
            new ToRuntime.GrantEmissions(1L << 33, 1L << 32),
            new ToRuntime.CancelScan(1L << 33),
            new ToClient.Progress(1, 2, 3, 4, 5, 6),
            new ToClient.Fetched(7, new TensorType(DType.INT8, Shape.of(3, 1)), BYTES),
            new ToClient.DownloadChunk(9, 300, BYTES),
            new ToClient.Scanned(1L << 33, 1L << 32, true));

    private static Map<String, Message> rare() {
        Map<String, Message> rare = new LinkedHashMap<>();
        rare.put("Goodbye", ToRuntime.Request.goodbye());
        rare.put("Explain", ToRuntime.Request.explain(5, 6));
        rare.put("ExplainProgram", ToRuntime.Request.explainProgram(1L << 33, 63));
        rare.put("Trace", ToRuntime.Request.trace(6));
        rare.put(
                "Farewell",
                ToClient.Reply.of(Farewell.newBuilder().addUnseen(FAULT).build()));
        rare.put(
                "Explained",
                ToClient.Reply.of(Explained.newBuilder()
                        .setRequest(5)
                        .setExplanation(explanation())
                        .build()));
        rare.put(
                "Traced",
                ToClient.Reply.of(Traced.newBuilder()
                        .setRequest(6)
                        .setReceivedNanos(-7)
                        .setAnsweredNanos(Long.MIN_VALUE)
                        .setHasMore(true)
                        .setEvents(ByteString.copyFrom(BYTES))
                        .build()));
        rare.put("Failed", ToClient.Reply.of(Failed.newBuilder().setFault(FAULT).build()));
        rare.put(
                "UpdateFailed",
                ToClient.Reply.of(UpdateFailed.newBuilder()
                        .setUpdate(1L << 33)
                        .setTimes(3)
                        .setFault(FAULT)
                        .build()));
        rare.put(
                "FetchFailed",
                ToClient.Reply.of(FetchFailed.newBuilder()
                        .setFetch(8)
                        .setFault(FAULT)
                        .addLost(9)
                        .addLost(1L << 40)
                        .build()));
        return rare;
    }

    /** The messages that version 8.1 introduced. */
    private static Map<String, Message> sources() {
        Map<String, Message> sources = new LinkedHashMap<>();
        sources.put(
                "OpenSource",
                asked(SourceQuestion.newBuilder()
                        .setOpen(SourceQuestion.Open.newBuilder().setUri("s3://bucket/ä"))));
        sources.put(
                "ReadSourceFile",
                asked(SourceQuestion.newBuilder()
                        .setReadFile(SourceQuestion.ReadFile.newBuilder()
                                .setUri("hf://org/name")
                                .setVersion("12")
                                .setFile("config.json"))));
        sources.put(
                "SourceProgress",
                asked(SourceQuestion.newBuilder().setProgress(SourceQuestion.Progress.getDefaultInstance())));
        sources.put(
                "CancelLoads",
                asked(SourceQuestion.newBuilder().setCancel(SourceQuestion.Cancel.getDefaultInstance())));
        sources.put(
                "SaveModel",
                new ToRuntime.SaveModel(SaveRequest.newBuilder()
                        .setRequest(1L << 33)
                        .setUri("file:/x")
                        .addValues(
                                SaveRequest.NamedValue.newBuilder().setName("b").setValue(1L << 40))
                        .addValues(
                                SaveRequest.NamedValue.newBuilder().setName("a").setValue(2))
                        .addFiles(SaveRequest.SmallFile.newBuilder()
                                .setPath("config.json")
                                .setContent(ByteString.copyFrom(BYTES)))
                        .setShardBytes(1L << 32)
                        .build()));
        sources.put(
                "SourceAnswered",
                ToClient.Reply.of(SourceAnswered.newBuilder()
                        .setRequest(1L << 33)
                        .setLast(true)
                        .setPiece(ByteString.copyFrom(BYTES))
                        .build()));
        sources.put(
                "SourceFailed",
                ToClient.Reply.of(SourceFailed.newBuilder()
                        .setRequest(1L << 33)
                        .setFault(FAULT)
                        .build()));
        return sources;
    }

    /** The messages that version 8.1 introduced. */
    private static Map<String, Message> groups() {
        Map<String, Message> groups = new LinkedHashMap<>();
        groups.put(
                "OpenGroup",
                asked(PeerQuestion.newBuilder()
                        .setOpen(PeerQuestion.Open.newBuilder()
                                .setGroup("g")
                                .setKey("k")
                                .setRank(2)
                                .setSize(300))));
        groups.put(
                "JoinGroup",
                asked(PeerQuestion.newBuilder()
                        .setJoin(PeerQuestion.Join.newBuilder()
                                .addAddresses("tls 10.0.0.1 4000 ab")
                                .addAddresses("tls 10.0.0.2 4000 cd")
                                .setPatienceMillis(300_000))));
        groups.put(
                "PeersAnswered",
                ToClient.Reply.of(PeersAnswered.newBuilder()
                        .setRequest(1L << 33)
                        .setAnswer(ByteString.copyFrom(BYTES))
                        .build()));
        groups.put(
                "PeersFailed",
                ToClient.Reply.of(PeersFailed.newBuilder()
                        .setRequest(1L << 33)
                        .setFault(FAULT)
                        .build()));
        groups.put(
                "PassSegment",
                new ToRuntime.PassSegment(SegmentBundle.of(
                        1L << 33, -1, List.of(0, 3), List.of(new ToRuntime.RunSegment(BYTES).encode(), BYTES))));
        groups.put("TakeSegment", new ToRuntime.TakeSegment(1L << 33, -1, 3));
        return groups;
    }

    private static Map<String, Message> states() {
        StatePlace place = StatePlace.newBuilder()
                .setUri("file:/states")
                .setName("m-1")
                .setKey(ByteString.copyFrom(BYTES))
                .build();
        return Map.of(
                "SaveState",
                ToRuntime.Request.of(SaveState.newBuilder()
                        .setRequest(1L << 33)
                        .setPlace(place)
                        .setNumber(2)
                        .setPrevious(1)
                        .setClient(ClientState.newBuilder()
                                .setLastValue(1L << 40)
                                .setLastUpdate(3)
                                .setRandomSeed(-7)
                                .setRandomDraws(1L << 34))
                        .build()),
                "RestoreState",
                ToRuntime.Request.of(RestoreState.newBuilder()
                        .setRequest(1L << 33)
                        .setPlace(place)
                        .setNumber(2)
                        .build()),
                "Own",
                ToRuntime.Request.of(Own.newBuilder()
                        .setRequest(1L << 33)
                        .setOwner(ByteString.copyFrom(BYTES))
                        .build()),
                "Keep",
                ToRuntime.Request.of(Keep.newBuilder()
                        .addValues(KeptValue.newBuilder()
                                .setName("weights")
                                .setValue(1L << 40)
                                .addSizes(2)
                                .addStrides(1)
                                .setOffset(3)
                                .setRequiresGrad(true))
                        .addForgotten("bias")
                        .setClient(ClientState.newBuilder().setLastState(5))
                        .build()),
                "DeleteStates",
                ToRuntime.Request.of(DeleteStates.newBuilder()
                        .setRequest(1L << 33)
                        .setPlace(place)
                        .setNumber(2)
                        .setAll(true)
                        .build()),
                "NoticeEnd",
                ToRuntime.Request.noticeEnd(),
                "Ending",
                ToClient.Reply.of(Ending.newBuilder().setMillis(10_000).build()));
    }

    private static Message asked(PeerQuestion.Builder question) {
        return new ToRuntime.AskPeers(PeerRequest.newBuilder()
                .setRequest(1L << 33)
                .setQuestion(question)
                .build());
    }

    private static Message asked(SourceQuestion.Builder question) {
        return new ToRuntime.AskSource(SourceRequest.newBuilder()
                .setRequest(1L << 33)
                .setQuestion(question)
                .build());
    }

    private static ExplanationData explanation() {
        return ExplanationData.newBuilder()
                .setValue("%3")
                .addValues(ExplanationData.Value.newBuilder()
                        .setName("%3")
                        .setDtype(DType.FLOAT32.code())
                        .addShape(2)
                        .addShape(300)
                        .setComputedBy(-1)
                        .setLastUse(Integer.MAX_VALUE)
                        .setStored(true))
                .addNodes(ExplanationData.Node.newBuilder()
                        .setIndex(1)
                        .setOp("add")
                        .addOperands("%1")
                        .addResults("%3")
                        .setSource("Train.java:12"))
                .addKernels(ExplanationData.Kernel.newBuilder()
                        .setPlace(1)
                        .setName("add")
                        .addNodes(1)
                        .setCode("a + b")
                        .addRecentNanos(12_345))
                .setMemory(ExplanationData.Memory.newBuilder()
                        .setInputBytes(1)
                        .setPeakBytes(2)
                        .setPeakAt(-1)
                        .setKeptBytes(3))
                .setSegment(ExplanationData.Size.newBuilder()
                        .setInstructions(4)
                        .setKernels(5)
                        .setRuns(6)
                        .setOmitted(7))
                .build();
    }

    private static Map<String, Message> samples(String version) {
        Map<String, Message> samples = new LinkedHashMap<>();
        FREQUENT.forEach(message -> samples.put(message.getClass().getSimpleName(), message));
        samples.putAll(rare());
        if (!version.equals("8.0")) {
            samples.putAll(sources());
            samples.putAll(groups());
            samples.putAll(states());
        }
        return samples;
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0", "8.1"})
    void messagesOfEachVersionAreRead(String version) {
        Map<String, Message> samples = samples(version);
        Map<String, byte[]> today = new LinkedHashMap<>();
        samples.forEach((name, message) -> today.put(name, message.encode()));
        Map<String, byte[]> committed = CommittedBytes.read(getClass(), "messages-" + version + ".txt", today);
        assertEquals(samples.keySet(), committed.keySet());
        samples.forEach((name, message) -> assertRead(message, committed.get(name)));
    }

    private static void assertRead(Message expected, byte[] committed) {
        Message read = Message.decodeAll(committed).getFirst();
        assertEquals(expected.getClass(), read.getClass());
        switch (read) {
            case ToRuntime.Request request -> assertEquals(expected, request);
            case ToRuntime.AskSource asked -> assertEquals(expected, asked);
            case ToRuntime.SaveModel asked -> assertEquals(expected, asked);
            case ToRuntime.AskPeers asked -> assertEquals(expected, asked);
            case ToClient.Reply told -> assertEquals(expected, told);
            case ToRuntime frequent -> assertSame(expected, frequent, committed);
            case ToClient frequent -> assertSame(expected, frequent, committed);
        }
    }

    private static void assertSame(Message expected, Message read, byte[] committed) {
        assertArrayEquals(committed, expected.encode(), expected::toString);
        assertArrayEquals(committed, read.encode(), expected::toString);
    }
}
