package dev.outpost.runtime.memory;

import dev.outpost.types.DType;

/** Memory of an engine's device, of one dtype. Whoever allocated it gives it back to that engine, once. */
public interface EngineBuffer {
    DType dtype();

    /** How many elements it holds. */
    long elements();

    /** The bytes of the device's memory that it takes. */
    default long bytes() {
        return elements() * dtype().bytes();
    }
}
