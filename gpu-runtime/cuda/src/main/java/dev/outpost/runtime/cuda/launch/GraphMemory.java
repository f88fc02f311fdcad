package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The memory of a graph's kernels: scratch memory, and a word for each kernel that may refuse values, for the number
 * of the first refused item. It is kept as long as the graph, which contains its addresses. Used under the engine's
 * lock.
 */
public final class GraphMemory {
    private final Gpu gpu;
    private final MemoryPool pool;
    private final int words;
    private final List<DeviceAllocation> owned = new ArrayList<>();
    private final Map<Long, Deque<DeviceAllocation>> idle = new HashMap<>();
    private DeviceAllocation refusals;
    private int used;

    /** @param words the largest number of kernels that may refuse values */
    public GraphMemory(Gpu gpu, MemoryPool pool, int words) {
        this.gpu = gpu;
        this.pool = pool;
        this.words = words;
    }

    /** Returns the address to which the next kernel writes an error for invalid values. The first call clears all such words. */
    long refusal() {
        if (refusals == null) {
            refusals = own((long) words * Long.BYTES);
            gpu.fill(refusals.address(), (long) words * Long.BYTES, 0xff);
        }
        if (used == words) {
            throw new IllegalStateException("cuda: a unit of " + words + " kernels refuses more often than that");
        }
        return refusals.address() + (long) Long.BYTES * used++;
    }

    /** Returns the number of words to read. */
    public int refusals() {
        return used;
    }

    public long refusalsAddress() {
        return refusals.address();
    }

    DeviceAllocation scratch(long bytes) {
        Deque<DeviceAllocation> fitting = idle.get(MemoryPool.roundUp(bytes));
        return fitting == null || fitting.isEmpty() ? own(bytes) : fitting.pop();
    }

    void release(DeviceAllocation scratch) {
        idle.computeIfAbsent(scratch.bytes(), size -> new ArrayDeque<>()).push(scratch);
    }

    private DeviceAllocation own(long bytes) {
        DeviceAllocation allocation = pool.allocateAtOnce(bytes);
        owned.add(allocation);
        return allocation;
    }

    public long bytes() {
        return owned.stream().mapToLong(DeviceAllocation::bytes).sum();
    }

    public void close() {
        owned.forEach(allocation -> pool.release(allocation, MemoryPool.ENGINE));
        owned.clear();
    }
}
