package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.OutOfDeviceMemoryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Released memory, kept for the next one of its size: the queue is in order, so it can be handed out again at once. What
 * another owner had, or nobody knows who, is wiped first. Used under the engine's lock.
 */
final class MemoryPool {
    /** Who owns scratch memory; the engine writes what it reads, so for it nothing is wiped. */
    static final long ENGINE = 0;

    private static final int SMALLEST = 256;
    /** Sizes above are rounded to an eighth of their power of two. */
    private static final int STEPS_OF_A_POWER = 3;

    private record Free(Block block, long owner) {}

    private final Gpu gpu;
    private final Map<Long, Deque<Free>> free = new TreeMap<>();
    private long held;

    MemoryPool(Gpu gpu) {
        this.gpu = gpu;
    }

    /**
     * Memory of at least that size.
     *
     * @throws OutpostException of kind resources if there is none even when all that lies here unused is given back
     */
    Block allocate(long bytes, long owner) {
        long size = roundUp(bytes);
        Deque<Free> fitting = free.get(size);
        if (fitting == null || fitting.isEmpty()) {
            Block fresh = fresh(size, bytes);
            wipe(fresh, owner);
            return fresh;
        }
        Free reused = fitting.pop();
        held -= size;
        if (reused.owner != owner) {
            wipe(reused.block, owner);
        }
        return reused.block;
    }

    private void wipe(Block block, long owner) {
        if (owner != ENGINE) {
            gpu.fill(block.address(), block.bytes(), 0);
        }
    }

    void release(Block block, long owner) {
        free.computeIfAbsent(block.bytes(), size -> new ArrayDeque<>()).push(new Free(block, owner));
        held += block.bytes();
    }

    /** Gives all that lies here unused back to the device. */
    void trim() {
        free.values().forEach(blocks -> blocks.forEach(unused -> gpu.release(unused.block.address())));
        free.clear();
        held = 0;
    }

    long heldBytes() {
        return held;
    }

    private Block fresh(long size, long asked) {
        try {
            return new Block(gpu.allocate(size), size);
        } catch (OutOfDeviceMemoryException full) {
            trim();
            try {
                return new Block(gpu.allocate(size), size);
            } catch (OutOfDeviceMemoryException stillFull) {
                throw new OutpostException(
                        FaultKind.RESOURCES,
                        "allocate: no room, asked " + asked + " bytes; the device has " + gpu.freeBytes()
                                + " bytes free of " + gpu.memoryBytes() + " bytes",
                        stillFull);
            }
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
