package dev.outpost.runtime.engine.cpu.memory;

import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;

/** Temporary buffers of one run of a kernel. */
public final class Scratch implements AutoCloseable {
    private final BufferPool pool;
    private final List<HeapBuffer> buffers = new ArrayList<>();

    public Scratch(BufferPool pool) {
        this.pool = pool;
    }

    /** Allocates a contiguous array of undefined content, which is valid until this is closed. */
    public Array array(DType dtype, Shape shape) {
        HeapBuffer buffer = pool.allocate(dtype, shape.elements());
        buffers.add(buffer);
        return Array.contiguous(buffer, shape);
    }

    @Override
    public void close() {
        buffers.forEach(pool::release);
    }
}
