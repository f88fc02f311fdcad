package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/** What a runtime says to a client. */
public sealed interface ToClient extends Message {
    /** What travels on the control lane. */
    sealed interface Control extends ToClient {}

    /**
     * How far the session is.
     *
     * @param segments how many segments have been executed
     * @param liveBytes what the session's values take now
     * @param liveValues how many there are
     * @param engineNanos time spent in kernels so far
     * @param kernels how many kernels have run
     * @param plans how many plans the session had made
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

    /** A value, whole when it is small; otherwise {@code bytes} is empty and chunks follow on the bulk lane. */
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

    /** The value cannot be had. {@code lost} are the values of the session that the same fault took. */
    record FetchFailed(long fetch, Fault fault, long[] lost) implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.FETCH_FAILED.begin(out);
            out.varint(fetch);
            fault.write(out);
            out.varints(lost);
        }

        static FetchFailed read(ByteReader in) {
            return new FetchFailed(in.varint(), Fault.read(in), in.varints("lost count"));
        }
    }

    /** Something failed, and nobody has asked yet for what it touched. Comes before the {@link Progress} that covers it. */
    record Failed(Fault fault) implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.FAILED.begin(out);
            fault.write(out);
        }

        static Failed read(ByteReader in) {
            return new Failed(Fault.read(in));
        }
    }

    /**
     * An update did not happen, since something of it was lost; its states are as they were before.
     *
     * @param update as its {@code UpdateGuard} says
     * @param times how often, one after the other
     * @param fault which took what was lost
     */
    record UpdateFailed(long update, long times, Fault fault) implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.UPDATE_FAILED.begin(out);
            out.varint(update);
            out.varint(times);
            fault.write(out);
        }

        static UpdateFailed read(ByteReader in) {
            return new UpdateFailed(in.varint(), in.varint(), Fault.read(in));
        }
    }

    /** How far a scan is; {@code over} with the last of a scan. */
    record Scanned(long scan, long iterations, boolean over) implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.SCANNED.begin(out);
            out.varint(scan);
            out.varint(iterations);
            out.u8(over ? 1 : 0);
        }

        static Scanned read(ByteReader in) {
            return new Scanned(in.varint(), in.varint(), in.u8() == 1);
        }
    }

    /** The session has ended; these faults touched values that nobody fetched. */
    record Farewell(List<Fault> unseen) implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.FAREWELL.begin(out);
            out.varint(unseen.size());
            unseen.forEach(fault -> fault.write(out));
        }

        static Farewell read(ByteReader in) {
            int count = in.count("fault count", 4);
            List<Fault> faults = new ArrayList<>(count);
            for (int index = 0; index < count; index++) {
                faults.add(Fault.read(in));
            }
            return new Farewell(List.copyOf(faults));
        }
    }

    /**
     * How a value, or a program, was computed.
     *
     * @param explanation as {@code Explanation} writes it; empty where the machine does not remember
     */
    record Explained(long request, byte[] explanation) implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.EXPLAINED.begin(out);
            out.varint(request);
            out.block(explanation);
        }

        static Explained read(ByteReader in) {
            return new Explained(in.varint(), in.block());
        }
    }

    /**
     * What the worker did. The two times, with those at which the client asked and was answered, tell how far its clock is
     * from ours.
     *
     * @param receivedNanos when the request came, by the machine's monotonic clock
     * @param answeredNanos when this was sent
     * @param hasMore whether there is more to ask for at once
     * @param events a piece of what an {@code EngineTraceWriter} writes
     */
    record Traced(long request, long receivedNanos, long answeredNanos, boolean hasMore, byte[] events)
            implements Control {
        @Override
        public void write(ByteWriter out) {
            MessageKind.TRACED.begin(out);
            out.varint(request);
            out.zigzag(receivedNanos);
            out.zigzag(answeredNanos);
            out.u8(hasMore ? 1 : 0);
            out.block(events);
        }

        static Traced read(ByteReader in) {
            return new Traced(in.varint(), in.zigzag(), in.zigzag(), in.u8() != 0, in.block());
        }
    }

    // ---- the bulk lane

    /** A piece of a fetched value; pieces come in order. */
    record DownloadChunk(long fetch, long offset, Bytes bytes) implements ToClient {
        public DownloadChunk(long fetch, long offset, byte[] bytes) {
            this(fetch, offset, new Slice(bytes));
        }

        /** The payload of such a message, whose bytes are written when it is sent. */
        public static Payload payload(long fetch, long offset, Body bytes) {
            ByteWriter head = new ByteWriter();
            writeHead(fetch, offset, bytes.length(), head);
            return new Payload(head.toByteArray(), bytes);
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
