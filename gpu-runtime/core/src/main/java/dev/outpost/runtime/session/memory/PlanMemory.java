package dev.outpost.runtime.session.memory;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.Arena;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** Where one run of a plan puts what it makes: into its arena what has a place there, all else into memory of its own. */
public final class PlanMemory {
    private final SessionMemory memory;
    private final Engine engine;
    private final Arena arena;
    /** Null where the run has no arena. */
    private RefCountedStorage block;

    private PlanMemory(SessionMemory memory, Engine engine, Arena arena, RefCountedStorage block) {
        this.memory = memory;
        this.engine = engine;
        this.arena = arena;
        this.block = block;
    }

    /**
     * With an arena, where there is room for it and for what the run makes besides.
     *
     * @param arena null where each value has memory of its own
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

    /** Room for a value that is made. */
    public RefCountedStorage allocate(TensorType type, int value) {
        long place = block == null ? Arena.NOWHERE : arena.place(value);
        return place == Arena.NOWHERE
                ? memory.allocate(
                        type.dtype(), type.shape().elements(), block == null ? Engine.NO_USE : arena.useOf(value))
                : block.part(place, type.dtype(), type.shape().elements());
    }

    /** A number that stands in an instruction of the unit at hand. */
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
