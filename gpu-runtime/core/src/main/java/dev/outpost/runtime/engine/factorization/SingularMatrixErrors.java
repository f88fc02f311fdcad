package dev.outpost.runtime.engine.factorization;

import dev.outpost.protocol.op.Op;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.function.IntFunction;

/** Reports the matrix of a batch that an op refuses. */
final class SingularMatrixErrors {
    private SingularMatrixErrors() {}

    /** Throws for the first matrix with a fault, which is a number other than 0. */
    static void refuse(Op op, Shape batch, int[] faults, IntFunction<String> problem) {
        for (int number = 0; number < faults.length; number++) {
            if (faults[number] != 0) {
                throw new OpException(op.label(), name(batch, number) + " " + problem.apply(faults[number]));
            }
        }
    }

    private static String name(Shape batch, int number) {
        long[] index = new long[batch.rank()];
        long rest = number;
        for (int dim = index.length - 1; dim >= 0; dim--) {
            index[dim] = rest % batch.size(dim);
            rest /= batch.size(dim);
        }
        return index.length == 0 ? "the matrix" : "matrix " + Arrays.toString(index) + " of the batch";
    }
}
