package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;

/**
 * A kernel whose code was generated.
 *
 * @param listing what it computes for one element, as text for people
 */
record ListedKernel(Kernel kernel, String listing) implements GeneratedKernel {
    @Override
    public void run(Op op, Array[] operands, Array[] results) {
        kernel.run(op, operands, results);
    }
}
