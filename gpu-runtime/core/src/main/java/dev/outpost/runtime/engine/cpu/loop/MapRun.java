package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.LoopSource;
import dev.outpost.runtime.engine.cpu.threads.KernelThreads;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;

/**
 * A prepared computation of an expression for arrays with given layouts. For small arrays the preparation takes longer than the
 * computation, and a loop of steps repeats the same layouts.
 *
 * @param layouts the layouts of the operands, then of the results
 * @param grain the number of elements that justifies a separate thread
 */
record MapRun(Layout[] layouts, Iteration iteration, LoopSource.Map source, ArrayLoop loop, int grain) {

    /** Returns true if the arrays have the prepared layouts. */
    boolean fits(Array[] operands, Array[] results) {
        for (int position = 0; position < layouts.length; position++) {
            Array array = position < operands.length ? operands[position] : results[position - operands.length];
            if (!layouts[position].equals(array.layout())) {
                return false;
            }
        }
        return true;
    }

    void run(KernelThreads kernelThreads, Array[] operands, Array[] results) {
        Object[] arrays = new Object[layouts.length];
        for (int position = 0; position < arrays.length; position++) {
            arrays[position] = Elementwise.javaArray(
                    position < operands.length ? operands[position] : results[position - operands.length]);
        }
        kernelThreads.run(iteration.elements(), grain, (from, to) -> iteration.run(loop, arrays, from, to));
    }
}
