package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;

/**
 * Elements in the device's memory.
 *
 * @param start the offset of the first element in its block, in bytes
 */
public record CudaBuffer(DType dtype, long elements, DeviceAllocation allocation, long start, long owner)
        implements EngineBuffer {
    public CudaBuffer(DType dtype, long elements, DeviceAllocation allocation, long owner) {
        this(dtype, elements, allocation, 0, owner);
    }

    /** Returns the address of an element. */
    public long address(long element) {
        return allocation.address() + start + element * dtype.bytes();
    }

    /** Returns true if the two buffers share memory. */
    boolean meets(CudaBuffer other) {
        return allocation == other.allocation && start < other.end() && other.start < end();
    }

    private long end() {
        return start + elements * dtype.bytes();
    }

    /** Returns a part of the buffer as elements of another dtype. */
    public CudaBuffer part(long firstByte, DType other, long count) {
        return new CudaBuffer(other, count, allocation, start + firstByte, owner);
    }
}
