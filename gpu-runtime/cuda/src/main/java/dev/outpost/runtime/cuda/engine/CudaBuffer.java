package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.types.DType;
import dev.outpost.runtime.memory.Buffer;

/** Elements in the device's memory. */
record CudaBuffer(DType dtype, long elements, Block block, long owner) implements Buffer {
    /** Where an element is. */
    long address(long element) {
        return block.address() + element * dtype.bytes();
    }
}
