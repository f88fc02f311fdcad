package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import java.util.function.Supplier;

/**
 * A kernel with generated code.
 *
 * @param text the source of the computation of one element or one row
 */
record ListedKernel(Kernel kernel, Supplier<String> text) implements GeneratedKernel {
    @Override
    public String listing() {
        return text.get();
    }

    @Override
    public void run(Op op, Array[] operands, Array[] results) {
        kernel.run(op, operands, results);
    }
}
