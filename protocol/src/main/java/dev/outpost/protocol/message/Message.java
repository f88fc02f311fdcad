package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.bytes.StepList;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** What the two sides say to each other once connected. A frame's payload is one or more messages. */
public sealed interface Message {
    /**
     * The bytes of one chunk of bulk data. With what is said around it, it fills one of the network's buffers of 128 KiB;
     * a few of those at a time are kept and used again, while more would be made anew each time.
     */
    int CHUNK_BYTES = 127 << 10;

    /** Answers of at most this size travel inside the reply instead of on the bulk lane. */
    int INLINE_BYTES = 16 << 10;

    /** What one message frees at most; ids that follow each other take no bytes, so the bytes that came bound nothing. */
    int MAX_FREED = 1 << 20;

    /** What one payload has at most, so that the smallest messages do not keep whoever reads them from all else. */
    int MAX_MESSAGES = 1 << 14;

    /** Values that a session may have at a time. */
    int MAX_VALUES = 1 << 20;

    /** Client: compute this. Segments are executed in the order in which they come. */
    record RunSegment(byte[] segment) implements Message {}

    /** Client: compute this as {@link RunSegment}, and remember it in a slot instead of what was there. */
    record RememberSegment(int slot, byte[] segment) implements Message {}

    /**
     * Client: compute the structure in a slot once more.
     *
     * @param changes what has changed since its latest run
     */
    record RepeatSegment(int slot, byte[] changes) implements Message {}

    /** Client: send a value home. The value may be freed right after. */
    record Fetch(long fetch, long value) implements Message {}

    /** Client: nobody will ask for these values any more. */
    record Free(StepList values) implements Message {
        public Free(long... values) {
            this(StepList.of(values));
        }
    }

    /** Client: a piece of an upload; pieces come in order. */
    record UploadChunk(long upload, DType dtype, long totalBytes, long offset, Bytes bytes) implements Message {
        public UploadChunk(long upload, DType dtype, long totalBytes, long offset, byte[] bytes) {
            this(upload, dtype, totalBytes, offset, new Slice(bytes));
        }

        /** The payload of such a message, whose bytes are written when it is sent. */
        public static Payload payload(long upload, DType dtype, long totalBytes, long offset, Body bytes) {
            ByteWriter head = new ByteWriter();
            writeHead(upload, dtype, totalBytes, offset, bytes.length(), head);
            return new Payload(head.toByteArray(), bytes);
        }

        private static void writeHead(
                long upload, DType dtype, long totalBytes, long offset, int length, ByteWriter out) {
            out.u8(4);
            out.varint(upload);
            out.u8(dtype.code());
            out.varint(totalBytes);
            out.varint(offset);
            out.varint(length);
        }
    }

    /** Client: the session is done. The answer is a {@link Farewell}. */
    record Goodbye() implements Message {}

    /** Client: tell how this value was computed. The answer is an {@link Explained}. */
    record Explain(long request, long value) implements Message {}

    /** Client: tell how the latest run of the program in a slot was computed. The answer is an {@link Explained}. */
    record ExplainProgram(long request, int program) implements Message {}

    /**
     * Runtime: how a value, or a program, was computed.
     *
     * @param explanation as {@code Explanation} writes it; empty where the machine does not remember
     */
    record Explained(long request, byte[] explanation) implements Message {}

    /**
     * Client: tell what the session's worker does from now on; and, when it was asked before, what it did since. The answer
     * is a {@link Traced}.
     */
    record Trace(long request) implements Message {}

    /**
     * Runtime: what the worker did. The two times, with those at which the client asked and was answered, tell how far its
     * clock is from ours.
     *
     * @param receivedNanos when the request came, by the machine's monotonic clock
     * @param answeredNanos when this was sent
     * @param hasMore whether there is more to ask for at once
     * @param events a piece of what an {@code EngineTraceWriter} writes
     */
    record Traced(long request, long receivedNanos, long answeredNanos, boolean hasMore, byte[] events)
            implements Message {}

    /**
     * Runtime: how far it is.
     *
     * @param segments how many segments have been executed
     * @param liveBytes what the session's values take now
     * @param liveValues how many there are
     * @param engineNanos time spent in kernels so far
     * @param kernels how many kernels have run
     * @param plans how many plans the session had made
     */
    record Progress(long segments, long liveBytes, long liveValues, long engineNanos, long kernels, long plans)
            implements Message {}

    /** Runtime: a value, whole when it is small; otherwise {@code bytes} is empty and chunks follow on the bulk lane. */
    record Fetched(long fetch, TensorType type, byte[] bytes) implements Message {}

    /** Runtime: the value cannot be had. {@code lost} are the values of the session that the same fault took. */
    record FetchFailed(long fetch, Fault fault, long[] lost) implements Message {}

    /** Runtime: a piece of a fetched value; pieces come in order. */
    record DownloadChunk(long fetch, long offset, Bytes bytes) implements Message {
        public DownloadChunk(long fetch, long offset, byte[] bytes) {
            this(fetch, offset, new Slice(bytes));
        }

        /** The payload of such a message, whose bytes are written when it is sent. */
        public static Payload payload(long fetch, long offset, Body bytes) {
            ByteWriter head = new ByteWriter();
            writeHead(fetch, offset, bytes.length(), head);
            return new Payload(head.toByteArray(), bytes);
        }

        private static void writeHead(long fetch, long offset, int length, ByteWriter out) {
            out.u8(9);
            out.varint(fetch);
            out.varint(offset);
            out.varint(length);
        }
    }

    /** Runtime: the session has ended; these faults touched values that nobody fetched. */
    record Farewell(List<Fault> unseen) implements Message {}

    /** Runtime: something failed, and nobody has asked yet for what it touched. Comes before the {@link Progress} that covers it. */
    record Failed(Fault fault) implements Message {}

    /**
     * Runtime: an update did not happen, since something of it was lost; its states are as they were before.
     *
     * @param update as its {@code UpdateGuard} says
     * @param times how often, one after the other
     * @param fault which took what was lost
     */
    record UpdateFailed(long update, long times, Fault fault) implements Message {}

    // ---- programs

    /** Client: keep a {@code ProgramCode} in a slot, instead of what was there. */
    record DefineProgram(int program, byte[] code) implements Message {}

    /**
     * Client: run the program in a slot.
     *
     * @param scan the number by which a scan is told of and can be cancelled, rising in a session; 0 for a plain call
     * @param call what has changed since the program's latest call
     */
    record RunProgram(int program, long scan, byte[] call) implements Message {}

    /** Client: the slot is empty from here on. */
    record DropProgram(int program) implements Message {}

    /** Client: that many runs of a scan, from its first, may send what they emit. Taken at once, not in turn. */
    record GrantEmissions(long scan, long iterations) implements Message {}

    /** Client: end a scan after the run at hand. Taken at once, not in turn. */
    record CancelScan(long scan) implements Message {}

    /** Runtime: how far a scan is; {@code over} with the last of a scan. */
    record Scanned(long scan, long iterations, boolean over) implements Message {}

    // ---- sources

    /**
     * Client: a question about the places that the machine reads models from. It is answered out of turn, by {@link
     * SourceAnswered} or {@link SourceFailed}.
     *
     * @param question as {@code SourceQuestion} writes it
     */
    record AskSource(long request, byte[] question) implements Message {}

    /** Runtime: a piece of an answer; pieces come in order. */
    record SourceAnswered(long request, boolean last, byte[] bytes) implements Message {}

    /** Runtime: why there is no answer. */
    record SourceFailed(long request, Fault fault) implements Message {}

    // ---- groups

    /**
     * Client: a question about the group that the session is a member of. It is answered out of turn, by {@link PeersAnswered}
     * or {@link PeersFailed}.
     *
     * @param question as {@code PeerQuestion} writes it
     */
    record AskPeers(long request, byte[] question) implements Message {}

    /** Runtime: an answer. */
    record PeersAnswered(long request, byte[] bytes) implements Message {}

    /** Runtime: why there is no answer. */
    record PeersFailed(long request, Fault fault) implements Message {}

    /** The bytes of one message; several may follow each other in a payload. */
    default void write(ByteWriter out) {
        switch (this) {
            case RunSegment run -> {
                out.u8(1);
                out.block(run.segment);
            }
            case Fetch fetch -> {
                out.u8(2);
                out.varint(fetch.fetch);
                out.varint(fetch.value);
            }
            case Free free -> {
                out.u8(3);
                out.varint(free.values.count());
                free.values.write(out);
            }
            case UploadChunk chunk -> {
                UploadChunk.writeHead(
                        chunk.upload, chunk.dtype, chunk.totalBytes, chunk.offset, chunk.bytes.length(), out);
                out.bytes(chunk.bytes);
            }
            case Goodbye goodbye -> out.u8(5);
            case Progress progress -> writeProgress(progress, out);
            case Fetched fetched -> writeFetched(fetched, out);
            case FetchFailed failed -> {
                out.u8(8);
                out.varint(failed.fetch);
                failed.fault.write(out);
                out.varints(failed.lost);
            }
            case DownloadChunk chunk -> {
                DownloadChunk.writeHead(chunk.fetch, chunk.offset, chunk.bytes.length(), out);
                out.bytes(chunk.bytes);
            }
            case Farewell farewell -> {
                out.u8(10);
                out.varint(farewell.unseen.size());
                farewell.unseen.forEach(fault -> fault.write(out));
            }
            case RememberSegment remember -> {
                out.u8(11);
                out.varint(remember.slot);
                out.block(remember.segment);
            }
            case RepeatSegment repeat -> {
                out.u8(12);
                out.varint(repeat.slot);
                out.block(repeat.changes);
            }
            case DefineProgram define -> {
                out.u8(13);
                out.varint(define.program);
                out.block(define.code);
            }
            case RunProgram run -> {
                out.u8(14);
                out.varint(run.program);
                out.varint(run.scan);
                out.block(run.call);
            }
            case DropProgram drop -> {
                out.u8(15);
                out.varint(drop.program);
            }
            case GrantEmissions grant -> {
                out.u8(16);
                out.varint(grant.scan);
                out.varint(grant.iterations);
            }
            case CancelScan cancel -> {
                out.u8(17);
                out.varint(cancel.scan);
            }
            case Scanned scanned -> {
                out.u8(18);
                out.varint(scanned.scan);
                out.varint(scanned.iterations);
                out.u8(scanned.over ? 1 : 0);
            }
            case Explain explain -> {
                out.u8(19);
                out.varint(explain.request);
                out.varint(explain.value);
            }
            case Explained explained -> {
                out.u8(20);
                out.varint(explained.request);
                out.block(explained.explanation);
            }
            case Trace trace -> {
                out.u8(21);
                out.varint(trace.request);
            }
            case Traced traced -> {
                out.u8(22);
                out.varint(traced.request);
                out.zigzag(traced.receivedNanos);
                out.zigzag(traced.answeredNanos);
                out.u8(traced.hasMore ? 1 : 0);
                out.block(traced.events);
            }
            case ExplainProgram explain -> {
                out.u8(23);
                out.varint(explain.request);
                out.varint(explain.program);
            }
            case Failed failed -> {
                out.u8(24);
                failed.fault.write(out);
            }
            case UpdateFailed failed -> {
                out.u8(25);
                out.varint(failed.update);
                out.varint(failed.times);
                failed.fault.write(out);
            }
            case AskSource ask -> {
                out.u8(26);
                out.varint(ask.request);
                out.block(ask.question);
            }
            case SourceAnswered answered -> {
                out.u8(27);
                out.varint(answered.request);
                out.u8(answered.last ? 1 : 0);
                out.block(answered.bytes);
            }
            case SourceFailed failed -> {
                out.u8(28);
                out.varint(failed.request);
                failed.fault.write(out);
            }
            case AskPeers ask -> {
                out.u8(29);
                out.varint(ask.request);
                out.block(ask.question);
            }
            case PeersAnswered answered -> {
                out.u8(30);
                out.varint(answered.request);
                out.block(answered.bytes);
            }
            case PeersFailed failed -> {
                out.u8(31);
                out.varint(failed.request);
                failed.fault.write(out);
            }
        }
    }

    default byte[] encode() {
        ByteWriter out = new ByteWriter();
        write(out);
        return out.toByteArray();
    }

    /** As {@link #decodeAll(Bytes)}. */
    static List<Message> decodeAll(byte[] payload) {
        return decodeAll(new Slice(payload));
    }

    /**
     * All messages of a payload; anything else is a {@link MalformedException}. The data of chunks stay where the
     * payload is.
     */
    static List<Message> decodeAll(Bytes payload) {
        List<Message> messages = new ArrayList<>();
        decodeEach(payload, messages::add);
        return messages;
    }

    /** Hands over the messages of a payload one by one, so that whoever refuses one holds no others. */
    static void decodeEach(Bytes payload, Consumer<Message> receiver) {
        decodeEach(payload, kind -> {}, receiver);
    }

    /** As {@link #decodeEach(Bytes, Consumer)}; of a message that does not belong on the route nothing but its kind is read. */
    static void decodeEach(Bytes payload, Route route, Consumer<Message> receiver) {
        decodeEach(payload, route::require, receiver);
    }

    private static void decodeEach(Bytes payload, IntConsumer kindCheck, Consumer<Message> receiver) {
        ByteReader in = new ByteReader(payload);
        for (int count = 0; !in.isAtEnd(); count++) {
            if (count == MAX_MESSAGES) {
                throw new MalformedException("a payload has over " + MAX_MESSAGES + " messages");
            }
            int kind = in.u8();
            kindCheck.accept(kind);
            receiver.accept(read(kind, in));
        }
    }

    private static Message read(int kind, ByteReader in) {
        return switch (kind) {
            case 1 -> new RunSegment(in.block());
            case 2 -> new Fetch(in.varint(), in.varint());
            case 3 -> readFree(in);
            case 4 -> new UploadChunk(in.varint(), DType.ofCode(in.u8()), in.varint(), in.varint(), in.slice());
            case 5 -> new Goodbye();
            case 6 -> new Progress(in.varint(), in.varint(), in.varint(), in.varint(), in.varint(), in.varint());
            case 7 -> new Fetched(in.varint(), readType(in), in.block());
            case 8 -> new FetchFailed(in.varint(), Fault.read(in), in.varints("lost count"));
            case 9 -> new DownloadChunk(in.varint(), in.varint(), in.slice());
            case 10 -> new Farewell(readFaults(in));
            case 11 -> new RememberSegment(in.smallInt("slot"), in.block());
            case 12 -> new RepeatSegment(in.smallInt("slot"), in.block());
            case 13 -> new DefineProgram(in.smallInt("program"), in.block());
            case 14 -> new RunProgram(in.smallInt("program"), in.varint(), in.block());
            case 15 -> new DropProgram(in.smallInt("program"));
            case 16 -> new GrantEmissions(in.varint(), in.varint());
            case 17 -> new CancelScan(in.varint());
            case 18 -> new Scanned(in.varint(), in.varint(), in.u8() == 1);
            case 19 -> new Explain(in.varint(), in.varint());
            case 20 -> new Explained(in.varint(), in.block());
            case 21 -> new Trace(in.varint());
            case 22 -> new Traced(in.varint(), in.zigzag(), in.zigzag(), in.u8() != 0, in.block());
            case 23 -> new ExplainProgram(in.varint(), in.smallInt("program"));
            case 24 -> new Failed(Fault.read(in));
            case 25 -> new UpdateFailed(in.varint(), in.varint(), Fault.read(in));
            case 26 -> new AskSource(in.varint(), in.block());
            case 27 -> new SourceAnswered(in.varint(), in.u8() != 0, in.block());
            case 28 -> new SourceFailed(in.varint(), Fault.read(in));
            case 29 -> new AskPeers(in.varint(), in.block());
            case 30 -> new PeersAnswered(in.varint(), in.block());
            case 31 -> new PeersFailed(in.varint(), Fault.read(in));
            default -> throw new MalformedException("message kind " + kind + " is unknown");
        };
    }

    private static Free readFree(ByteReader in) {
        int count = in.smallInt("free count");
        if (count > MAX_FREED) {
            throw new MalformedException("free count is over " + MAX_FREED + ": " + count);
        }
        return new Free(StepList.read(in, count));
    }

    private static void writeProgress(Progress progress, ByteWriter out) {
        out.u8(6);
        out.varint(progress.segments);
        out.varint(progress.liveBytes);
        out.varint(progress.liveValues);
        out.varint(progress.engineNanos);
        out.varint(progress.kernels);
        out.varint(progress.plans);
    }

    private static void writeFetched(Fetched fetched, ByteWriter out) {
        out.u8(7);
        out.varint(fetched.fetch);
        out.u8(fetched.type.dtype().code());
        out.varints(fetched.type.shape().toArray());
        out.block(fetched.bytes);
    }

    private static TensorType readType(ByteReader in) {
        DType dtype = DType.ofCode(in.u8());
        long[] sizes = in.varints("rank");
        try {
            return new TensorType(dtype, Shape.of(sizes));
        } catch (OpException impossible) {
            throw new MalformedException("a value cannot have that type: " + impossible.getMessage());
        }
    }

    private static List<Fault> readFaults(ByteReader in) {
        int count = in.count("fault count", 4);
        List<Fault> faults = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            faults.add(Fault.read(in));
        }
        return List.copyOf(faults);
    }
}
