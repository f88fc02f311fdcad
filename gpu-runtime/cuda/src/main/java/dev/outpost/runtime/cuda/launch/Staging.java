package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of the host that the device reads and writes by itself, on the way of bytes to the device and back. It never waits: whoever
 * uses it bounds how much. Used under the engine's lock.
 */
public final class Staging {
    /** The largest. */
    public static final int BYTES = 1 << 20;

    /** Copies to the device on their way at once, of those who wait for the oldest before the next. */
    private static final int MAX_UNDER_WAY = 8;

    private static final int SMALLEST = 1 << 12;

    /** A copy to the device. */
    public record UnderWay(ByteBuffer buffer, Gpu.Mark mark) {}

    private final Gpu gpu;
    private final Map<Integer, Deque<ByteBuffer>> free = new TreeMap<>();
    private final Deque<UnderWay> underWay = new ArrayDeque<>();

    public Staging(Gpu gpu) {
        this.gpu = gpu;
    }

    /** A buffer that holds so many bytes, at most {@link #BYTES}; to be given back. */
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

    /** The oldest copy, to be waited for before another is begun; null where there are few. */
    public UnderWay oldestOfMany() {
        return underWay.size() < MAX_UNDER_WAY ? null : underWay.remove();
    }

    public void sent(ByteBuffer buffer, Gpu.Mark mark) {
        underWay.add(new UnderWay(buffer, mark));
    }

    /** Waits for what is under way. */
    public void close() {
        underWay.forEach(last -> gpu.await(last.mark));
        underWay.clear();
    }
}
