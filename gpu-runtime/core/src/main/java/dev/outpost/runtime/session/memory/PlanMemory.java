package dev.outpost.runtime.session.memory;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.Arena;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** The memory for the results of one run of a plan. Values with a place in the arena share one block. All others have separate memory. */
public final class PlanMemory {
    private final SessionMemory memory;
    private final Engine engine;
    private final Arena arena;
    /** The memory of the arena; null if the run has none. */
    private RefCountedStorage block;

    private PlanMemory(SessionMemory memory, Engine engine, Arena arena, RefCountedStorage block) {
        this.memory = memory;
        this.engine = engine;
        this.arena = arena;
        this.block = block;
    }

    /**
     * Creates the memory of a run. Uses the arena only if there is room for it and for the run's other values.
     *
     * @param arena the arena; null if each value has separate memory
     */
    public static PlanMemory of(SessionMemory memory, Engine engine, Arena arena) {
        RefCountedStorage block = null;
        if (arena != null) {
            long needed = arena.bytes() + arena.besideBytes();
            boolean fits = memory.available(needed) >= needed;
            block = fits ? memory.allocate(DType.UINT8, arena.bytes(), arena.use()) : null;
        }
        return new PlanMemory(memory, engine, arena, block);
    }

    public boolean hasArena() {
        return block != null;
    }

    /** Allocates memory for a result. */
    public RefCountedStorage allocate(TensorType type, int value) {
        long place = block == null ? Arena.NOWHERE : arena.place(value);
        return place == Arena.NOWHERE
                ? memory.allocate(
                        type.dtype(), type.shape().elements(), block == null ? Engine.NO_USE : arena.useOf(value))
                : block.part(place, type.dtype(), type.shape().elements());
    }

    /** Returns a number of an instruction of the current launch group as a scalar array. */
    public Array number(int number, DType dtype) {
        return Array.contiguous(engine.part(block.buffer(), arena.numberAt(number), dtype, 1), Shape.SCALAR);
    }

    public void writeNumbers(byte[] bytes, int length) {
        if (length > 0) {
            engine.write(block.buffer(), arena.numberAt(0), new Slice(bytes, 0, length));
        }
    }

    public void close() {
        if (block != null) {
            block.release();
            block = null;
        }
    }
}
