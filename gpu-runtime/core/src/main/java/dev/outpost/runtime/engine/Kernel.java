package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.memory.Array;

/** Compiled code of one instruction. Stateless: many sessions may run it at once. */
@FunctionalInterface
public interface Kernel {
    /**
     * Computes the results, which are contiguous and hold undefined elements before. Operands may be strided, and may
     * overlap each other. None overlaps a result, but for one that was donated and lies in the very same elements: an
     * operand of a result's type where all is elementwise, and what a write replaces elements of. Nothing is read of it
     * after the instruction that computes that result.
     *
     * @param op the op of this very run, with its data attributes
     * @throws dev.outpost.types.OpException for values that the op refuses, such as an index out of bounds
     */
    void run(Op op, Array[] operands, Array[] results);

    /** The generated code, for people; empty where it runs code of the engine. */
    default String listing() {
        return "";
    }
}
