package dev.outpost.runtime.memory;

import dev.outpost.types.DType;

/** Memory of an engine's device, of one dtype. The code that allocated it must release it to that engine once. */
public interface EngineBuffer {
    DType dtype();

    /** Returns the number of elements that it holds. */
    long elements();

    /** Returns the bytes of device memory that it takes. */
    default long bytes() {
        return elements() * dtype().bytes();
    }
}
