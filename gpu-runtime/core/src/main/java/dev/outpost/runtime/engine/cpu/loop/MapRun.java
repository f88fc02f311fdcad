package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.LoopSource;
import dev.outpost.runtime.engine.cpu.threads.KernelThreads;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;

/**
 * How an expression is computed where arrays lie like this. Of small arrays that takes longer to find out than to compute,
 * and a loop of steps asks for the same again.
 *
 * @param layouts of the operands, then of the results
 * @param grain elements that are worth a thread
 */
record MapRun(Layout[] layouts, Iteration iteration, LoopSource.Map source, ArrayLoop loop, int grain) {

    /** Whether it says how to compute these. */
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
