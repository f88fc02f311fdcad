package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** The messages of a runtime to a client. */
public sealed interface ToClient extends Message {
    /** The messages of the control lane. */
    sealed interface Control extends ToClient {}

    /**
     * The progress of the session.
     *
     * @param segments the number of executed segments
     * @param liveBytes the bytes of the session's current values
     * @param liveValues the number of these values
     * @param engineNanos the time spent in kernels so far, in nanoseconds
     * @param kernels the number of kernels that have run
     * @param plans the number of plans made for the session
     */
    record Progress(long segments, long liveBytes, long liveValues, long engineNanos, long kernels, long plans)
            implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.PROGRESS.begin(out);
            out.varint(segments);
            out.varint(liveBytes);
            out.varint(liveValues);
            out.varint(engineNanos);
            out.varint(kernels);
            out.varint(plans);
        }

        static Progress read(ByteReader in) {
            return new Progress(in.varint(), in.varint(), in.varint(), in.varint(), in.varint(), in.varint());
        }
    }

    /** A fetched value. If it is small, {@code bytes} contains it. Otherwise {@code bytes} is empty and chunks follow on the bulk lane. */
    record Fetched(long fetch, TensorType type, byte[] bytes) implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.FETCHED.begin(out);
            out.varint(fetch);
            out.u8(type.dtype().code());
            out.varints(type.shape().toArray());
            out.block(bytes);
        }

        static Fetched read(ByteReader in) {
            return new Fetched(in.varint(), readType(in), in.block());
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
    }

    /** The progress of a scan. {@code isOver} is true in the last message of a scan. */
    record Scanned(long scan, long iterations, boolean isOver) implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.SCANNED.begin(out);
            out.varint(scan);
            out.varint(iterations);
            out.u8(isOver ? 1 : 0);
        }

        static Scanned read(ByteReader in) {
            return new Scanned(in.varint(), in.varint(), in.u8() == 1);
        }
    }

    /** A rare message: a failure, or an answer to a {@link ToRuntime.Request}. */
    record Reply(RuntimeReply reply) implements Control {
        /** The machine ends soon. */
        public static Reply of(Ending ending) {
            return new Reply(RuntimeReply.newBuilder().setEnding(ending).build());
        }

        public static Reply of(Farewell farewell) {
            return new Reply(RuntimeReply.newBuilder().setFarewell(farewell).build());
        }

        public static Reply of(Explained explained) {
            return new Reply(RuntimeReply.newBuilder().setExplained(explained).build());
        }

        public static Reply of(Traced traced) {
            return new Reply(RuntimeReply.newBuilder().setTraced(traced).build());
        }

        public static Reply of(Failed failed) {
            return new Reply(RuntimeReply.newBuilder().setFailed(failed).build());
        }

        public static Reply of(UpdateFailed failed) {
            return new Reply(RuntimeReply.newBuilder().setUpdateFailed(failed).build());
        }

        public static Reply of(FetchFailed failed) {
            return new Reply(RuntimeReply.newBuilder().setFetchFailed(failed).build());
        }

        public static Reply of(SourceAnswered answered) {
            return new Reply(
                    RuntimeReply.newBuilder().setSourceAnswered(answered).build());
        }

        public static Reply of(SourceFailed failed) {
            return new Reply(RuntimeReply.newBuilder().setSourceFailed(failed).build());
        }

        public static Reply of(PeersAnswered answered) {
            return new Reply(
                    RuntimeReply.newBuilder().setPeersAnswered(answered).build());
        }

        public static Reply of(PeersFailed failed) {
            return new Reply(RuntimeReply.newBuilder().setPeersFailed(failed).build());
        }

        @Override
        public void write(ByteWriter out) {
            MessageKind.REPLY.begin(out);
            out.block(reply.toByteArray());
        }

        static Reply read(ByteReader in) {
            return new Reply(clean(Protobuf.parse(RuntimeReply.parser(), in.block(), "a reply")));
        }

        private static RuntimeReply clean(RuntimeReply reply) {
            return switch (reply.getKindCase()) {
                case FAREWELL -> of(clean(reply.getFarewell())).reply;
                case FAILED ->
                    of(Failed.newBuilder()
                                    .setFault(FaultMessages.clean(
                                            reply.getFailed().getFault()))
                                    .build())
                            .reply;
                case UPDATE_FAILED ->
                    of(reply.getUpdateFailed().toBuilder()
                                    .setFault(FaultMessages.clean(
                                            reply.getUpdateFailed().getFault()))
                                    .build())
                            .reply;
                case FETCH_FAILED ->
                    of(reply.getFetchFailed().toBuilder()
                                    .setFault(FaultMessages.clean(
                                            reply.getFetchFailed().getFault()))
                                    .build())
                            .reply;
                case SOURCE_FAILED ->
                    of(reply.getSourceFailed().toBuilder()
                                    .setFault(FaultMessages.clean(
                                            reply.getSourceFailed().getFault()))
                                    .build())
                            .reply;
                case PEERS_FAILED ->
                    of(reply.getPeersFailed().toBuilder()
                                    .setFault(FaultMessages.clean(
                                            reply.getPeersFailed().getFault()))
                                    .build())
                            .reply;
                case EXPLAINED, TRACED, SOURCE_ANSWERED, PEERS_ANSWERED, ENDING -> reply;
                case KIND_NOT_SET -> throw new MalformedException("a reply is of a kind that this side does not know");
            };
        }

        private static Farewell clean(Farewell farewell) {
            return Farewell.newBuilder()
                    .addAllUnseen(farewell.getUnseenList().stream()
                            .map(FaultMessages::clean)
                            .toList())
                    .build();
        }
    }

    // ---- the bulk lane

    /** A piece of a fetched value. Pieces are sent in order. */
    record DownloadChunk(long fetch, long offset, Bytes bytes) implements ToClient {
        public DownloadChunk(long fetch, long offset, byte[] bytes) {
            this(fetch, offset, new Slice(bytes));
        }

        /** Makes the payload of such a message. Its bytes are written when it is sent. */
        public static Payload payload(long fetch, long offset, Body bytes, int elementBytes) {
            ByteWriter head = new ByteWriter();
            writeHead(fetch, offset, bytes.length(), head);
            return new Payload(head.toByteArray(), bytes, elementBytes);
        }

        @Override
        public void write(ByteWriter out) {
            writeHead(fetch, offset, bytes.length(), out);
            out.bytes(bytes);
        }

        private static void writeHead(long fetch, long offset, int length, ByteWriter out) {
            MessageKind.DOWNLOAD_CHUNK.begin(out);
            out.varint(fetch);
            out.varint(offset);
            out.varint(length);
        }

        static DownloadChunk read(ByteReader in) {
            return new DownloadChunk(in.varint(), in.varint(), in.slice());
        }
    }
}
