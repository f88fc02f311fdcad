package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.memory.Array;
import java.util.Arrays;
import java.util.List;

/**
 * The arguments of one call of {@link Kernel#run}.
 *
 * @param kernel the code
 * @param op the op with the data of this run
 * @param operands the arrays that the kernel reads
 * @param results the arrays that the kernel writes
 * @param hasKnownIndices true if an earlier kernel has checked the bounds of the indices, so that this one need not check them again
 */
public record Launch(Kernel kernel, Op op, Array[] operands, Array[] results, boolean hasKnownIndices) {
    public Launch(Kernel kernel, Op op, Array[] operands, Array[] results) {
        this(kernel, op, operands, results, false);
    }

    public void run() {
        kernel.run(op, operands, results);
    }

    /** Returns true if both launches run the same kernel with the same op on the same memory. */
    public boolean isSameAs(Launch other) {
        return kernel == other.kernel
                && hasKnownIndices == other.hasKnownIndices
                && op.equals(other.op)
                && Arrays.equals(operands, other.operands)
                && Arrays.equals(results, other.results);
    }

    /** Returns true if both lists have the same launches in the same order. */
    public static boolean areSame(List<Launch> some, List<Launch> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int place = 0; place < some.size(); place++) {
            if (!some.get(place).isSameAs(others.get(place))) {
                return false;
            }
        }
        return true;
    }
}
