package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.OutOfDeviceMemoryException;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Released memory, kept for the next one of its size: kernels run in order, so it can be handed out again at once, and
 * a block tells who copies to it what to wait for. What
 * another owner had, or nobody knows who, is wiped first. Used under the engine's lock.
 */
final class MemoryPool {
    /** The owner of scratch memory; the engine writes all that it reads, so for it nothing is wiped. */
    static final long ENGINE = 0;

    private static final int SMALLEST = 256;
    /** Sizes above are rounded to an eighth of their power of two. */
    private static final int STEPS_OF_A_POWER = 3;

    /** Of those of a size, for the one that the same owner had. */
    private static final int MOST_LOOKED_AT = 32;

    private record Free(Block block, long owner) {}

    private final Gpu gpu;
    private final StreamDependencies order;
    private final Map<Long, Deque<Free>> free = new TreeMap<>();
    private long held;

    MemoryPool(Gpu gpu, StreamDependencies order) {
        this.gpu = gpu;
        this.order = order;
    }

    /**
     * Memory of at least that size.
     *
     * @throws FullException if the device has none
     */
    Block allocate(long bytes, long owner) {
        long size = roundUp(bytes);
        Free reused = take(size, owner);
        if (reused == null) {
            Block fresh = fresh(size, bytes);
            wipe(fresh, owner);
            return fresh;
        }
        if (reused.owner != owner) {
            wipe(reused.block, owner);
        }
        return reused.block;
    }

    /** Rather what the same owner had before: then it lies where it lay, and need not be wiped. Null where there is none. */
    private Free take(long size, long owner) {
        Deque<Free> fitting = free.get(size);
        if (fitting == null || fitting.isEmpty()) {
            return null;
        }
        held -= size;
        int looked = 0;
        for (Iterator<Free> each = fitting.iterator(); each.hasNext() && looked < MOST_LOOKED_AT; looked++) {
            Free candidate = each.next();
            if (candidate.owner == owner) {
                each.remove();
                return candidate;
            }
        }
        return fitting.pop();
    }

    /**
     * Memory for the engine's own use, without making room for it.
     *
     * @throws OutOfDeviceMemoryException if there is none
     */
    Block allocateAtOnce(long bytes) {
        long size = roundUp(bytes);
        Free reused = take(size, ENGINE);
        return reused == null ? new Block(gpu.allocate(size), size) : reused.block;
    }

    private void wipe(Block block, long owner) {
        if (owner != ENGINE) {
            order.use(block);
            gpu.fill(block.address(), block.bytes(), 0);
        }
    }

    void release(Block block, long owner) {
        order.release(block);
        if (owner == ENGINE) {
            order.releaseUsed(block);
        }
        free.computeIfAbsent(block.bytes(), size -> new ArrayDeque<>()).push(new Free(block, owner));
        held += block.bytes();
    }

    /** All that lies here unused, for whoever gives it back to the device. */
    List<Block> takeUnused() {
        List<Block> unused = new ArrayList<>();
        free.values().forEach(blocks -> blocks.forEach(each -> unused.add(each.block)));
        free.clear();
        held = 0;
        return unused;
    }

    long heldBytes() {
        return held;
    }

    private Block fresh(long size, long asked) {
        try {
            return new Block(gpu.allocate(size), size);
        } catch (OutOfDeviceMemoryException full) {
            throw new FullException(new OutpostException(
                    FaultKind.RESOURCES,
                    "allocate: no room, asked " + asked + " bytes; the device has " + gpu.freeBytes()
                            + " bytes free of " + gpu.memoryBytes() + " bytes",
                    full));
        }
    }

    /**
     * The device is full, but for what lies here unused. To give that back the device has to be waited for, which is not done under
     * the engine's lock.
     */
    static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final OutpostException refusal;

        FullException(OutpostException refusal) {
            super(refusal);
            this.refusal = refusal;
        }

        /** The refusal where nothing was left to give back. */
        OutpostException refusal() {
            return refusal;
        }
    }

    /** So that sizes that differ a little share their memory. */
    static long roundUp(long bytes) {
        if (bytes <= SMALLEST) {
            return SMALLEST;
        }
        long power = Long.highestOneBit(bytes - 1);
        long step = Math.max(SMALLEST, power >> STEPS_OF_A_POWER);
        return Math.addExact(bytes, step - 1) / step * step;
    }
}
