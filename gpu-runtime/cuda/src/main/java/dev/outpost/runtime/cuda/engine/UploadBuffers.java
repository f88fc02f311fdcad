package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.runtime.cuda.launch.Staging;
import dev.outpost.types.DType;
import java.nio.ByteBuffer;

/** Puts bytes that come in pieces into buffers that the device reads, each as full as can be. Holds no lock meanwhile. */
final class UploadBuffers {
    /** Where buffers come from and go to. */
    interface Way {
        /** A buffer of {@link Staging#BYTES}, or of so many bytes where they are fewer. */
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

    /** All of the bytes; each full buffer is sent before the next is taken. */
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

    /** A stranger's byte may be neither 0 nor 1; a bool in memory is one of them. */
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
