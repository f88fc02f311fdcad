package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.DeltaEncodedList;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Collective;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import java.time.Duration;

/** The messages of a client to a runtime. */
public sealed interface ToRuntime extends Message {
    /** The messages of the control lane. */
    sealed interface Control extends ToRuntime {}

    /** The messages that a session's worker handles, in the order in which they were sent. */
    sealed interface InTurn extends Control {}

    /** The messages that make one machine compute a segment. */
    sealed interface SegmentMessage extends InTurn {}

    /** The messages that are handled on arrival, before messages that still wait for the worker. */
    sealed interface AtOnce extends Control {}

    /** Computes a segment. Segments are executed in the order of their arrival. */
    record RunSegment(byte[] segment) implements SegmentMessage {
        @Override
        public void write(ByteWriter out) {
            MessageKind.RUN_SEGMENT.begin(out);
            out.block(segment);
        }

        static RunSegment read(ByteReader in) {
            return new RunSegment(in.block());
        }
    }

    /** Computes a segment like {@link RunSegment}, and remembers it in a slot in place of the previous one. */
    record RememberSegment(int slot, byte[] segment) implements SegmentMessage {
        @Override
        public void write(ByteWriter out) {
            MessageKind.REMEMBER_SEGMENT.begin(out);
            out.varint(slot);
            out.block(segment);
        }

        static RememberSegment read(ByteReader in) {
            return new RememberSegment(in.smallInt("slot"), in.block());
        }
    }

    /**
     * Computes the structure in a slot again.
     *
     * @param changes the changes since its latest run
     */
    record RepeatSegment(int slot, byte[] changes) implements SegmentMessage {
        @Override
        public void write(ByteWriter out) {
            MessageKind.REPEAT_SEGMENT.begin(out);
            out.varint(slot);
            out.block(changes);
        }

        static RepeatSegment read(ByteReader in) {
            return new RepeatSegment(in.smallInt("slot"), in.block());
        }
    }

    /** Sends a value to the client. The client may free the value right after this message. */
    record Fetch(long fetch, long value) implements InTurn {
        @Override
        public void write(ByteWriter out) {
            MessageKind.FETCH.begin(out);
            out.varint(fetch);
            out.varint(value);
        }

        static Fetch read(ByteReader in) {
            return new Fetch(in.varint(), in.varint());
        }
    }

    /** Frees values, because the client does not use them any more. */
    record Free(DeltaEncodedList values) implements InTurn {
        public Free(long... values) {
            this(DeltaEncodedList.of(values));
        }

        @Override
        public void write(ByteWriter out) {
            MessageKind.FREE.begin(out);
            out.varint(values.count());
            values.write(out);
        }

        static Free read(ByteReader in) {
            int count = in.smallInt("free count");
            if (count > MAX_FREED) {
                throw new MalformedException("free count is over " + MAX_FREED + ": " + count);
            }
            return new Free(DeltaEncodedList.read(in, count));
        }
    }

    /** A rare request. A runtime ignores a request of an unknown kind. */
    record Request(RuntimeRequest request) implements InTurn {
        /** The largest request, in bytes. */
        public static final int MAX_BYTES = 1 << 20;

        /** Ends the session. The answer is a {@link Farewell}. */
        public static Request goodbye() {
            return new Request(RuntimeRequest.newBuilder()
                    .setGoodbye(Goodbye.getDefaultInstance())
                    .build());
        }

        /** Asks how a value was computed. The answer is an {@link Explained}. */
        public static Request explain(long request, long value) {
            return of(Explain.newBuilder().setRequest(request).setValue(value));
        }

        /** Asks how the latest run of the program in a slot was computed. The answer is an {@link Explained}. */
        public static Request explainProgram(long request, int program) {
            return of(Explain.newBuilder().setRequest(request).setProgram(program));
        }

        /** Asks for a trace of the session's worker. The answer is a {@link Traced}. */
        public static Request trace(long request) {
            return new Request(RuntimeRequest.newBuilder()
                    .setTrace(Trace.newBuilder().setRequest(request))
                    .build());
        }

        /** Writes the session's values to a store. The answer is a {@link SourceAnswered}. */
        public static Request of(SaveState save) {
            return new Request(RuntimeRequest.newBuilder().setSaveState(save).build());
        }

        /** Reads a state from a store. The answer is a {@link SourceAnswered}. */
        public static Request of(RestoreState restore) {
            return new Request(
                    RuntimeRequest.newBuilder().setRestoreState(restore).build());
        }

        /** Makes the session belong to an owner. */
        public static Request of(Own own) {
            return new Request(RuntimeRequest.newBuilder().setOwn(own).build());
        }

        /** Gives values names. */
        public static Request of(Keep keep) {
            return new Request(RuntimeRequest.newBuilder().setKeep(keep).build());
        }

        /** Deletes states from a store. The answer is a {@link SourceAnswered}. */
        public static Request of(DeleteStates delete) {
            return new Request(
                    RuntimeRequest.newBuilder().setDeleteStates(delete).build());
        }

        /** Asks for an {@link Ending} before the machine ends by itself. */
        public static Request noticeEnd() {
            return new Request(RuntimeRequest.newBuilder()
                    .setNoticeEnd(NoticeEnd.getDefaultInstance())
                    .build());
        }

        private static Request of(Explain.Builder explain) {
            return new Request(RuntimeRequest.newBuilder().setExplain(explain).build());
        }

        @Override
        public void write(ByteWriter out) {
            MessageKind.REQUEST.begin(out);
            out.block(request.toByteArray());
        }

        static Request read(ByteReader in) {
            byte[] bytes = in.block();
            if (bytes.length > MAX_BYTES) {
                throw new MalformedException("a request of " + bytes.length + " bytes is over " + MAX_BYTES);
            }
            return new Request(Protobuf.parse(RuntimeRequest.parser(), bytes, "a request"));
        }

        /** Omits the content, which may have a key. */
        @Override
        public String toString() {
            return "Request[" + request.getKindCase() + "]";
        }
    }

    // ---- programs

    /** Keeps a {@code ProgramCode} in a slot, in place of the previous one. */
    record DefineProgram(int program, byte[] code) implements InTurn {
        @Override
        public void write(ByteWriter out) {
            MessageKind.DEFINE_PROGRAM.begin(out);
            out.varint(program);
            out.block(code);
        }

        static DefineProgram read(ByteReader in) {
            return new DefineProgram(in.smallInt("program"), in.block());
        }
    }

    /**
     * Runs the program in a slot.
     *
     * @param scan the number of the scan, for its progress and its cancellation, rising in a session; 0 for a plain call
     * @param call the changes since the program's latest call
     */
    record RunProgram(int program, long scan, byte[] call) implements InTurn {
        @Override
        public void write(ByteWriter out) {
            MessageKind.RUN_PROGRAM.begin(out);
            out.varint(program);
            out.varint(scan);
            out.block(call);
        }

        static RunProgram read(ByteReader in) {
            return new RunProgram(in.smallInt("program"), in.varint(), in.block());
        }
    }

    /** Empties a slot. */
    record DropProgram(int program) implements InTurn {
        @Override
        public void write(ByteWriter out) {
            MessageKind.DROP_PROGRAM.begin(out);
            out.varint(program);
        }

        static DropProgram read(ByteReader in) {
            return new DropProgram(in.smallInt("program"));
        }
    }

    /** Allows a scan to send the values that its first {@code iterations} runs emit. */
    record GrantEmissions(long scan, long iterations) implements AtOnce {
        @Override
        public void write(ByteWriter out) {
            MessageKind.GRANT_EMISSIONS.begin(out);
            out.varint(scan);
            out.varint(iterations);
        }

        static GrantEmissions read(ByteReader in) {
            return new GrantEmissions(in.varint(), in.varint());
        }
    }

    /** Ends a scan after the current run. */
    record CancelScan(long scan) implements AtOnce {
        @Override
        public void write(ByteWriter out) {
            MessageKind.CANCEL_SCAN.begin(out);
            out.varint(scan);
        }

        static CancelScan read(ByteReader in) {
            return new CancelScan(in.varint());
        }
    }

    // ---- sources

    /** A question about the places that the machine reads models from. The answer is a {@link SourceAnswered}. */
    record AskSource(SourceRequest request) implements AtOnce {
        /** The largest question, in bytes. */
        public static final int MAX_BYTES = 64 << 10;

        @Override
        public void write(ByteWriter out) {
            MessageKind.ASK_SOURCE.begin(out);
            out.block(request.toByteArray());
        }

        static AskSource read(ByteReader in) {
            byte[] bytes = in.block();
            if (bytes.length > MAX_BYTES) {
                throw new MalformedException(
                        "a question about sources of " + bytes.length + " bytes is over " + MAX_BYTES);
            }
            return new AskSource(Protobuf.parse(SourceRequest.parser(), bytes, "a question about sources"));
        }
    }

    /** Writes values as a model, after the previously recorded instructions. The answer is a {@link SourceAnswered}. */
    record SaveModel(SaveRequest request) implements InTurn {
        private static final int BYTES_OF_AN_ENTRY = 128;

        /** Returns the approximate memory of the request, in bytes, because each name and each file is a separate object. */
        public long bytes() {
            long entries = (long) request.getValuesCount() + request.getFilesCount();
            return request.getSerializedSize() + entries * BYTES_OF_AN_ENTRY;
        }

        @Override
        public void write(ByteWriter out) {
            MessageKind.SAVE_MODEL.begin(out);
            out.block(request.toByteArray());
        }

        static SaveModel read(ByteReader in) {
            return new SaveModel(Protobuf.parse(SaveRequest.parser(), in.block(), "what a model is saved of"));
        }
    }

    // ---- groups

    /** A question about the group that the session is a member of. The answer is a {@link PeersAnswered}. */
    record AskPeers(PeerRequest request) implements AtOnce {
        /** The largest question, in bytes. */
        static final int MAX_BYTES = 64 << 10;

        /** The maximum time that a client may set for a member's wait for another member. */
        static final Duration MOST_TIMEOUT = Duration.ofDays(1);

        /** The maximum number of bytes of a group's name and key together, in UTF-8. */
        private static final int MAX_NAME_BYTES = 200;

        @Override
        public void write(ByteWriter out) {
            MessageKind.ASK_PEERS.begin(out);
            out.block(request.toByteArray());
        }

        static AskPeers read(ByteReader in) {
            byte[] bytes = in.block();
            if (bytes.length > MAX_BYTES) {
                throw new MalformedException(
                        "a question about peers of " + bytes.length + " bytes is over " + MAX_BYTES);
            }
            PeerRequest request = Protobuf.parse(PeerRequest.parser(), bytes, "a question about peers");
            check(request.getQuestion());
            return new AskPeers(request);
        }

        private static void check(PeerQuestion question) {
            PeerQuestion.Open open = question.getOpen();
            boolean isMember = open.getSize() >= 1
                    && open.getSize() <= Collective.MAX_MEMBERS
                    && open.getRank() >= 0
                    && open.getRank() < open.getSize();
            if (question.hasOpen() && !isMember) {
                throw new MalformedException("member " + Integer.toUnsignedString(open.getRank()) + " of "
                        + Integer.toUnsignedString(open.getSize()) + " cannot be");
            }
            int nameBytes = open.getGroupBytes().size() + open.getKeyBytes().size();
            if (nameBytes > MAX_NAME_BYTES) {
                throw new MalformedException(
                        "a group's name and key have " + nameBytes + " bytes, over " + MAX_NAME_BYTES);
            }
            int members = question.getJoin().getAddressesCount();
            if (members > Collective.MAX_MEMBERS) {
                throw new MalformedException("a group has " + members + " members, over " + Collective.MAX_MEMBERS);
            }
            long patience = question.getJoin().getPatienceMillis();
            if (question.hasJoin() && (patience <= 0 || patience > MOST_TIMEOUT.toMillis())) {
                throw new MalformedException("a patience of " + Long.toUnsignedString(patience)
                        + " ms is not from 1 to " + MOST_TIMEOUT.toMillis());
            }
        }

        /** Omits the group's key. */
        @Override
        public String toString() {
            return "AskPeers[request=" + request.getRequest() + ", question="
                    + request.getQuestion().getKindCase() + "]";
        }
    }

    /** Computes this member's part of a segment, and passes on the parts of the other members. */
    record PassSegment(SegmentBundle bundle) implements InTurn {
        @Override
        public void write(ByteWriter out) {
            MessageKind.PASS_SEGMENT.begin(out);
            bundle.write(out);
        }

        static PassSegment read(ByteReader in) {
            return new PassSegment(SegmentBundle.read(in));
        }
    }

    /**
     * Computes the part of a segment that another member passes on, and passes on the parts that come with it.
     *
     * @param number the number of the segment in its {@link SegmentBundle}
     * @param program the hash of the recorded program in its bundle
     * @param from the member that passes it on to this one
     */
    record TakeSegment(long number, long program, int from) implements InTurn {
        @Override
        public void write(ByteWriter out) {
            MessageKind.TAKE_SEGMENT.begin(out);
            out.varint(number);
            out.fixed64(program);
            out.varint(from);
        }

        static TakeSegment read(ByteReader in) {
            return new TakeSegment(in.varint(), in.fixed64(), in.smallInt("member"));
        }
    }

    // ---- the bulk lane

    /** A piece of an upload. Pieces are sent in order. */
    record UploadChunk(long upload, DType dtype, long totalBytes, long offset, Bytes bytes) implements ToRuntime {
        public UploadChunk(long upload, DType dtype, long totalBytes, long offset, byte[] bytes) {
            this(upload, dtype, totalBytes, offset, new Slice(bytes));
        }

        /** Makes the payload of such a message. Its bytes are written when it is sent. */
        public static Payload payload(long upload, DType dtype, long totalBytes, long offset, Body bytes) {
            ByteWriter head = new ByteWriter();
            writeHead(upload, dtype, totalBytes, offset, bytes.length(), head);
            return new Payload(head.toByteArray(), bytes, dtype.bytes());
        }

        @Override
        public void write(ByteWriter out) {
            writeHead(upload, dtype, totalBytes, offset, bytes.length(), out);
            out.bytes(bytes);
        }

        private static void writeHead(
                long upload, DType dtype, long totalBytes, long offset, int length, ByteWriter out) {
            MessageKind.UPLOAD_CHUNK.begin(out);
            out.varint(upload);
            out.u8(dtype.code());
            out.varint(totalBytes);
            out.varint(offset);
            out.varint(length);
        }

        static UploadChunk read(ByteReader in) {
            return new UploadChunk(in.varint(), DType.ofCode(in.u8()), in.varint(), in.varint(), in.slice());
        }
    }
}
