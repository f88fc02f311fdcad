package dev.outpost.runtime.engine.cpu.memory;

import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;

/** Buffers that one run of a kernel needs for itself. */
public final class Scratch implements AutoCloseable {
    private final BufferPool pool;
    private final List<HeapBuffer> buffers = new ArrayList<>();

    public Scratch(BufferPool pool) {
        this.pool = pool;
    }

    /** A contiguous array of undefined content, until this is closed. */
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
