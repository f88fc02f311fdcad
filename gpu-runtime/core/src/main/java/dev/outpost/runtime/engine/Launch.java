package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.memory.Array;
import java.util.Arrays;
import java.util.List;

/**
 * A run of a kernel, as {@link Kernel#run} is asked for it.
 *
 * @param kernel the code
 * @param op with the data of this run
 * @param operands what it reads
 * @param results what it writes
 * @param hasKnownIndices whether its indices were found in their bounds by an earlier kernel, so that it need not look
 */
public record Launch(Kernel kernel, Op op, Array[] operands, Array[] results, boolean hasKnownIndices) {
    public Launch(Kernel kernel, Op op, Array[] operands, Array[] results) {
        this(kernel, op, operands, results, false);
    }

    public void run() {
        kernel.run(op, operands, results);
    }

    /** Whether the other does the very same, to the same memory. */
    public boolean isSameAs(Launch other) {
        return kernel == other.kernel
                && hasKnownIndices == other.hasKnownIndices
                && op.equals(other.op)
                && Arrays.equals(operands, other.operands)
                && Arrays.equals(results, other.results);
    }

    /** Whether all of them do the very same in the same order. */
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
