package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Buffers in host memory that the device can read and write directly, for copies to the device and back. The methods never wait. Their
 * callers limit the number of buffers. Used under the engine's lock.
 */
public final class Staging {
    /** The size of the largest buffer. */
    public static final int BYTES = 1 << 20;

    /**
     * The number of unfinished copies to the device from which a caller that may wait has to wait for the oldest one.
     */
    private static final int MAX_UNDER_WAY = 8;

    private static final int SMALLEST = 1 << 12;

    /** An unfinished copy to the device. */
    public record UnderWay(ByteBuffer buffer, Gpu.Mark mark) {}

    private final Gpu gpu;
    private final Map<Integer, Deque<ByteBuffer>> free = new TreeMap<>();
    private final Deque<UnderWay> underWay = new ArrayDeque<>();

    public Staging(Gpu gpu) {
        this.gpu = gpu;
    }

    /** Takes a buffer for that number of bytes, at most {@link #BYTES}. The caller returns it. */
    public ByteBuffer take(int bytes) {
        int size = Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, bytes - 1)) << 1);
        Deque<ByteBuffer> fitting = free.get(size);
        return fitting == null || fitting.isEmpty()
                ? gpu.hostBuffer(size).order(ByteOrder.LITTLE_ENDIAN)
                : fitting.pop();
    }

    public void release(ByteBuffer buffer) {
        free.computeIfAbsent(buffer.capacity(), size -> new ArrayDeque<>()).push(buffer);
    }

    /**
     * Takes the oldest copy if there are many, so that the caller waits for it before the next copy. Returns null if
     * there are few.
     */
    public UnderWay oldestOfMany() {
        return underWay.size() < MAX_UNDER_WAY ? null : underWay.remove();
    }

    public void sent(ByteBuffer buffer, Gpu.Mark mark) {
        underWay.add(new UnderWay(buffer, mark));
    }

    /** Waits for all unfinished copies. */
    public void close() {
        underWay.forEach(last -> gpu.await(last.mark));
        underWay.clear();
    }
}
