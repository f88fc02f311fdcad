package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.memory.Array;

/** Compiled code of one instruction. Stateless: many sessions may run it at once. */
@FunctionalInterface
public interface Kernel {
    /**
     * Computes the results, which are contiguous and hold undefined elements before. Operands may be strided, may
     * overlap each other, and never overlap results.
     *
     * @param op the op of this very run, with its data attributes
     * @throws dev.outpost.protocol.fault.OpException for values that the op refuses, such as an index out of bounds
     */
    void run(Op op, Array[] operands, Array[] results);
}
