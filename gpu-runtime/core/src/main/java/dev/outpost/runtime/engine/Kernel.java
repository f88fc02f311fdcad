package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.memory.Array;

/** Compiled code of one instruction. Stateless: many sessions may run it at the same time. */
@FunctionalInterface
public interface Kernel {
    /**
     * Computes the results. They are contiguous, and their elements are undefined before. Operands may be strided and may overlap each
     * other. An operand overlaps a result only if it was donated and occupies the same elements: an operand of the result's type if all
     * instructions are elementwise, or the target of a write. Such an operand is not read after the instruction that computes the result.
     *
     * @param op the op of this run, with its data attributes
     * @throws dev.outpost.types.OpException if the op refuses a value, such as an index out of bounds
     */
    void run(Op op, Array[] operands, Array[] results);

    /** Returns the generated code as readable text; empty if the kernel runs fixed code of the engine. */
    default String listing() {
        return "";
    }
}
