package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.types.DType;
import dev.outpost.runtime.cuda.device.Gpu;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The way of bytes to the device and back, through memory of the host that the device reads by itself. What is written has
 * left the caller's array when the call returns; it arrives in the queue's order. Used under the engine's lock.
 */
final class Staging {
    static final int BYTES = 1 << 20;

    /** Copies on their way at once; the next one waits for the oldest. */
    private static final int MOST_UNDER_WAY = 8;

    private record UnderWay(ByteBuffer buffer, Gpu.Mark mark) {}

    private final Gpu gpu;
    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    private final Deque<UnderWay> underWay = new ArrayDeque<>();

    Staging(Gpu gpu) {
        this.gpu = gpu;
    }

    /** Appends to a queue, which is ordered with others by the caller. */
    void write(Gpu.Queue queue, DType dtype, long address, Bytes source) {
        Upload upload = new Upload(queue, dtype, address);
        source.forEach(dtype.bytes(), upload::add);
        upload.send();
    }

    /** What comes in pieces, put together to copies as large as a buffer. */
    private final class Upload {
        private final Gpu.Queue queue;
        private final DType dtype;
        private long address;
        private ByteBuffer buffer;
        private int filled;

        Upload(Gpu.Queue queue, DType dtype, long address) {
            this.queue = queue;
            this.dtype = dtype;
            this.address = address;
        }

        void add(ByteBuffer piece) {
            for (int done = 0, bytes = piece.remaining(); done < bytes; ) {
                if (buffer == null) {
                    buffer = takeForUpload();
                }
                int count = Math.min(BYTES - filled, bytes - done);
                put(dtype, buffer, filled, piece, piece.position() + done, count);
                filled += count;
                done += count;
                if (filled == BYTES) {
                    send();
                }
            }
        }

        void send() {
            if (filled > 0) {
                gpu.upload(queue, buffer, address, filled);
                underWay.add(new UnderWay(buffer, gpu.mark(queue)));
                address += filled;
                filled = 0;
                buffer = null;
            }
        }
    }

    /** A stranger's byte may be neither 0 nor 1; a bool in memory is one of them. */
    private static void put(DType dtype, ByteBuffer buffer, int at, ByteBuffer piece, int from, int count) {
        if (dtype != DType.BOOL) {
            buffer.put(at, piece, from, count);
            return;
        }
        for (int index = 0; index < count; index++) {
            buffer.put(at + index, (byte) (piece.get(from + index) == 0 ? 0 : 1));
        }
    }

    private ByteBuffer takeForUpload() {
        if (underWay.size() < MOST_UNDER_WAY) {
            return take();
        }
        UnderWay oldest = underWay.remove();
        gpu.await(oldest.mark);
        return oldest.buffer;
    }

    /** A buffer for a copy to the host; to be given back. */
    ByteBuffer take() {
        return free.isEmpty() ? gpu.hostBuffer(BYTES) : free.pop();
    }

    void giveBack(ByteBuffer buffer) {
        free.push(buffer);
    }

    /** Waits for what is under way. */
    void close() {
        underWay.forEach(last -> gpu.await(last.mark));
        underWay.clear();
    }
}
