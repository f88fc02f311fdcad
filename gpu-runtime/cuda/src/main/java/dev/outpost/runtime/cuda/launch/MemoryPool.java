package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.OutOfDeviceMemoryException;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Keeps released memory for the next allocation of the same size. Kernels run in order, so a block can be reused immediately. A block
 * records the work that copies from or to it must wait for. Memory of another owner is wiped first. An allocation for a repeated use gets
 * one of the few blocks that this use had before, because a graph needs its memory at the same addresses. Other allocations get such a
 * block only if they are large and no other block is free. Used under the engine's lock.
 */
public final class MemoryPool {
    /** The owner of scratch memory. The engine writes everything that it reads there, so it is not wiped. */
    public static final long ENGINE = 0;

    private static final int SMALLEST = 256;
    /** Larger sizes are rounded up to a multiple of an eighth of their power of two. */
    private static final int STEPS_OF_A_POWER = 3;

    /** The maximum number of blocks of a size that are searched for one of the same owner. */
    private static final int MAX_LOOKED_AT = 32;

    /**
     * The maximum number of blocks of one use. A use has several if earlier values are kept while the next one is
     * computed.
     */
    private static final int MAX_OF_A_USE = 4;

    static final int MAX_USES = 8_192;

    /** The size in bytes up to which new memory is taken from the device rather than a block that belongs to a use. */
    private static final int SMALL = 1 << 16;

    private record Free(DeviceAllocation allocation, long owner) {}

    /** The unused blocks of a size. The last block is the one that was released last. */
    private static final class Size {
        final SequencedMap<DeviceAllocation, Free> plain = new LinkedHashMap<>();
        final SequencedMap<DeviceAllocation, Free> used = new LinkedHashMap<>();

        Free remove(DeviceAllocation allocation) {
            Free free = plain.remove(allocation);
            return free == null ? used.remove(allocation) : free;
        }
    }

    private final Gpu gpu;
    private final StreamDependencies dependencies;
    private final Map<Long, Size> free = new TreeMap<>();
    private final SequencedMap<Long, List<DeviceAllocation>> uses = new LinkedHashMap<>(64, 0.75f, true);
    private long held;

    public MemoryPool(Gpu gpu, StreamDependencies dependencies) {
        this.gpu = gpu;
        this.dependencies = dependencies;
    }

    /**
     * Allocates memory of at least that size.
     *
     * @throws FullException if the device has no room
     */
    public DeviceAllocation allocate(long bytes, long owner) {
        return allocate(bytes, owner, Engine.NO_USE);
    }

    /** @param use the use of the memory, see {@link Engine#allocate(dev.outpost.types.DType, long, long, long)} */
    public DeviceAllocation allocate(long bytes, long owner, long use) {
        long size = roundUp(bytes);
        Free reused = take(size, owner, use);
        DeviceAllocation allocation = reused == null ? fresh(size, bytes) : reused.allocation;
        if (reused == null || reused.owner != owner) {
            wipe(allocation, owner);
        }
        note(allocation, use);
        return allocation;
    }

    /** Takes an unused block of the size; null if there is none. */
    private Free take(long size, long owner, long use) {
        Size unused = free.get(size);
        if (unused == null) {
            return null;
        }
        Free taken = again(unused, owner, use);
        if (taken == null) {
            taken = take(unused.plain, owner);
        }
        if (taken == null && size > SMALL) {
            taken = take(unused.used, owner);
        }
        held -= taken == null ? 0 : size;
        return taken;
    }

    /** Takes the first unused block of the use, in a fixed order, so that each step gets the same blocks. */
    private Free again(Size unused, long owner, long use) {
        for (DeviceAllocation allocation : uses.getOrDefault(use, List.of())) {
            Free candidate = allocation.use() == use ? unused.used.get(allocation) : null;
            if (candidate != null && candidate.owner == owner) {
                return unused.remove(allocation);
            }
        }
        return null;
    }

    /**
     * Takes an unused block, preferably one of the same owner, which need not be wiped. Returns null if there is
     * none.
     */
    private static Free take(SequencedMap<DeviceAllocation, Free> unused, long owner) {
        int looked = 0;
        for (Free candidate : unused.sequencedValues().reversed()) {
            if (candidate.owner == owner) {
                return unused.remove(candidate.allocation);
            }
            if (++looked == MAX_LOOKED_AT) {
                break;
            }
        }
        var latest = unused.pollLastEntry();
        return latest == null ? null : latest.getValue();
    }

    private void note(DeviceAllocation allocation, long use) {
        if (allocation.use() == use) {
            return;
        }
        allocation.use(use);
        if (use == Engine.NO_USE) {
            return;
        }
        List<DeviceAllocation> deviceAllocations = uses.computeIfAbsent(use, _ -> new ArrayList<>(1));
        deviceAllocations.removeIf(other -> other == allocation || other.use() != use);
        if (deviceAllocations.size() < MAX_OF_A_USE) {
            deviceAllocations.add(allocation);
        } else {
            allocation.use(Engine.NO_USE);
        }
        if (uses.size() > MAX_USES) {
            var oldest = uses.pollFirstEntry();
            forget(oldest.getKey(), oldest.getValue());
        }
    }

    private void forget(long use, List<DeviceAllocation> deviceAllocations) {
        for (DeviceAllocation allocation : deviceAllocations) {
            if (allocation.use() != use) {
                continue;
            }
            allocation.use(Engine.NO_USE);
            Size unused = free.get(allocation.bytes());
            Free lying = unused == null ? null : unused.used.remove(allocation);
            if (lying != null) {
                unused.plain.put(allocation, lying);
            }
        }
    }

    /**
     * Allocates memory for the engine's own use without evicting anything. Unused blocks of other owners are taken only if the device has
     * no memory left: graphs need those blocks at the same addresses.
     *
     * @throws OutOfDeviceMemoryException if there is no memory
     */
    DeviceAllocation allocateAtOnce(long bytes) {
        long size = roundUp(bytes);
        Free own = takeOwn(size);
        if (own != null) {
            return own.allocation;
        }
        try {
            return new DeviceAllocation(gpu.allocate(size), size);
        } catch (OutOfDeviceMemoryException outOfDeviceMemory) {
            Free others = take(size, ENGINE, Engine.NO_USE);
            if (others == null) {
                throw outOfDeviceMemory;
            }
            note(others.allocation, Engine.NO_USE);
            return others.allocation;
        }
    }

    private Free takeOwn(long size) {
        Size unused = free.get(size);
        if (unused != null) {
            for (Free candidate : unused.plain.sequencedValues().reversed()) {
                if (candidate.owner == ENGINE) {
                    held -= size;
                    return unused.remove(candidate.allocation);
                }
            }
        }
        return null;
    }

    private void wipe(DeviceAllocation allocation, long owner) {
        if (owner != ENGINE) {
            dependencies.use(allocation);
            gpu.fill(allocation.address(), allocation.bytes(), 0);
        }
    }

    public void release(DeviceAllocation allocation, long owner) {
        dependencies.release(allocation);
        if (owner == ENGINE) {
            dependencies.releaseUsed(allocation);
        }
        Size unused = free.computeIfAbsent(allocation.bytes(), _ -> new Size());
        (allocation.use() == Engine.NO_USE ? unused.plain : unused.used).put(allocation, new Free(allocation, owner));
        held += allocation.bytes();
    }

    /** Takes all unused memory. The caller returns it to the device. */
    public List<DeviceAllocation> takeUnused() {
        List<DeviceAllocation> unused = new ArrayList<>();
        free.values().forEach(size -> {
            unused.addAll(size.plain.keySet());
            unused.addAll(size.used.keySet());
        });
        uses.clear();
        free.clear();
        held = 0;
        return unused;
    }

    public long heldBytes() {
        return held;
    }

    private DeviceAllocation fresh(long size, long asked) {
        try {
            return new DeviceAllocation(gpu.allocate(size), size);
        } catch (OutOfDeviceMemoryException outOfDeviceMemory) {
            throw new FullException(new OutpostException(
                    FaultKind.RESOURCES,
                    "allocate: out of memory, requested " + asked + " bytes; the device has " + gpu.freeBytes()
                            + " bytes free of " + gpu.memoryBytes() + " bytes",
                    outOfDeviceMemory));
        }
    }

    /**
     * Thrown if the device has no free memory except unused memory of the pool. To return that memory to the device,
     * the caller has to wait for the device, which it must not do under the engine's lock.
     */
    public static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final OutpostException refusal;

        FullException(OutpostException refusal) {
            super(refusal);
            this.refusal = refusal;
        }

        /** Returns the exception to throw if there is no unused memory either. */
        public OutpostException refusal() {
            return refusal;
        }
    }

    /** Rounds a size up, so that allocations of similar sizes can reuse each other's memory. */
    static long roundUp(long bytes) {
        if (bytes <= SMALLEST) {
            return SMALLEST;
        }
        long power = Long.highestOneBit(bytes - 1);
        long step = Math.max(SMALLEST, power >> STEPS_OF_A_POWER);
        return Math.addExact(bytes, step - 1) / step * step;
    }
}
