package dev.outpost.runtime.engine.cpu.memory;

import dev.outpost.runtime.memory.HeapAllocation;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps released buffers for later allocations of the same dtype and length. A training loop allocates the same lengths in each step, and
 * a new Java array is zeroed first. The least recently requested lengths are evicted first.
 */
public final class BufferPool {
    /**
     * The size in bytes below which arrays are not kept. Such arrays are allocated in the thread's allocation buffer,
     * which is faster than any list.
     */
    private static final long SMALLEST_BYTES = 4096;

    private record Key(DType dtype, long elements) {}

    private final Map<Key, Deque<HeapBuffer>> free = new LinkedHashMap<>(64, 0.75f, true);
    private final long bound;
    private long held;

    /** @param bound the maximum number of bytes that are kept */
    public BufferPool(long bound) {
        this.bound = bound;
    }

    public HeapBuffer allocate(DType dtype, long elements) {
        HeapBuffer reused = isKept(dtype, elements) ? take(new Key(dtype, elements)) : null;
        if (reused != null) {
            return reused;
        }
        try {
            return HeapAllocation.allocate(dtype, elements);
        } catch (OutpostException ignored) {
            // Releasing the unused memory of this pool may make enough room.
            clear();
            return HeapAllocation.allocate(dtype, elements);
        }
    }

    public void release(HeapBuffer buffer) {
        if (isKept(buffer.dtype(), buffer.elements())) {
            put(buffer);
        }
    }

    private boolean isKept(DType dtype, long elements) {
        return elements >= SMALLEST_BYTES / dtype.bytes() && elements <= bound / dtype.bytes();
    }

    private synchronized void put(HeapBuffer buffer) {
        free.computeIfAbsent(new Key(buffer.dtype(), buffer.elements()), key -> new ArrayDeque<>())
                .push(buffer);
        held += buffer.bytes();
        while (held > bound) {
            evict();
        }
    }

    public synchronized void clear() {
        free.clear();
        held = 0;
    }

    synchronized long heldBytes() {
        return held;
    }

    private synchronized HeapBuffer take(Key key) {
        Deque<HeapBuffer> buffers = free.get(key);
        if (buffers == null) {
            return null;
        }
        HeapBuffer buffer = buffers.pop();
        held -= buffer.bytes();
        if (buffers.isEmpty()) {
            free.remove(key);
        }
        return buffer;
    }

    private void evict() {
        var eldest = free.entrySet().iterator().next();
        held -= eldest.getValue().pop().bytes();
        if (eldest.getValue().isEmpty()) {
            free.remove(eldest.getKey());
        }
    }
}
