package dev.outpost.runtime.cuda.engine;

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
    void write(Gpu.Queue queue, DType dtype, long address, byte[] source, int from, int length) {
        for (int done = 0; done < length; ) {
            int count = Math.min(BYTES, length - done);
            ByteBuffer buffer = takeForUpload();
            put(dtype, buffer, source, from + done, count);
            gpu.upload(queue, buffer, address + done, count);
            underWay.add(new UnderWay(buffer, gpu.mark(queue)));
            done += count;
        }
    }

    /** A stranger's byte may be neither 0 nor 1; a bool in memory is one of them. */
    private static void put(DType dtype, ByteBuffer buffer, byte[] source, int from, int count) {
        if (dtype != DType.BOOL) {
            buffer.put(0, source, from, count);
            return;
        }
        for (int index = 0; index < count; index++) {
            buffer.put(index, (byte) (source[from + index] == 0 ? 0 : 1));
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
