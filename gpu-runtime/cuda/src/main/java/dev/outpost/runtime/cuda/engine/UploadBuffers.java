package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.runtime.cuda.launch.Staging;
import dev.outpost.types.DType;
import java.nio.ByteBuffer;

/** Divides bytes that arrive in pieces into buffers for the device, each as full as possible. Holds no lock meanwhile. */
final class UploadBuffers {
    /** Supplies buffers and sends them. */
    interface Way {
        /** Returns a buffer of {@link Staging#BYTES}, or a smaller one if fewer bytes are needed. */
        ByteBuffer take(int bytes);

        /** Copies the beginning of a buffer to the device. */
        void send(ByteBuffer buffer, int bytes);
    }

    private final DType dtype;
    private final Way way;
    private int left;
    private ByteBuffer buffer;
    private int filled;

    private UploadBuffers(DType dtype, int length, Way way) {
        this.dtype = dtype;
        this.left = length;
        this.way = way;
    }

    /** Sends all bytes. Each full buffer is sent before the next is taken. */
    static void fill(DType dtype, Bytes source, Way way) {
        UploadBuffers buffers = new UploadBuffers(dtype, source.length(), way);
        source.forEach(dtype.bytes(), buffers::add);
        buffers.send();
    }

    private void add(ByteBuffer piece) {
        for (int done = 0, bytes = piece.remaining(); done < bytes; ) {
            int size = Math.min(Staging.BYTES, filled + left);
            if (buffer == null) {
                buffer = way.take(size);
            }
            int count = Math.min(size - filled, bytes - done);
            put(piece, piece.position() + done, count);
            filled += count;
            left -= count;
            done += count;
            if (filled == Staging.BYTES) {
                send();
            }
        }
    }

    /** Copies elements to the buffer. A client may send bytes other than 0 and 1 for bools. Other bytes than 0 are stored as 1. */
    private void put(ByteBuffer piece, int from, int count) {
        if (dtype != DType.BOOL) {
            buffer.put(filled, piece, from, count);
            return;
        }
        for (int index = 0; index < count; index++) {
            buffer.put(filled + index, (byte) (piece.get(from + index) == 0 ? 0 : 1));
        }
    }

    private void send() {
        if (filled > 0) {
            way.send(buffer, filled);
            buffer = null;
            filled = 0;
        }
    }
}
