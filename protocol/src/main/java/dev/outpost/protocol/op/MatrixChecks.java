package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;

/** Checks and shapes of ops on the last two dimensions. */
final class MatrixChecks {
    private MatrixChecks() {}

    /** Fails unless the operand is matrices of float32 or float64 with sizes that fit an int. */
    static void require(Op op, TensorType operand) {
        if (operand.dtype() != DType.FLOAT32 && operand.dtype() != DType.FLOAT64) {
            throw new OpException(op.label(), "needs float32 or float64, got " + operand + DTypeAdvice.CAST_FIRST);
        }
        requireRank(op, 2, operand);
        if (Math.max(rows(operand.shape()), columns(operand.shape())) > Integer.MAX_VALUE) {
            throw new OpException(op.label(), "sizes of matrices must be below 2^31, got " + operand);
        }
    }

    static void requireRank(Op op, int rank, TensorType operand) {
        if (operand.shape().rank() < rank) {
            throw new OpException(
                    op.label(),
                    "needs at least " + rank + (rank == 1 ? " dimension" : " dimensions") + ", got " + operand);
        }
    }

    static void requireSquare(Op op, TensorType operand) {
        require(op, operand);
        if (rows(operand.shape()) != columns(operand.shape())) {
            throw new OpException(op.label(), "matrices must be square, got " + operand);
        }
    }

    static long rows(Shape shape) {
        return shape.size(shape.rank() - 2);
    }

    static long columns(Shape shape) {
        return shape.size(shape.rank() - 1);
    }

    /** Returns the number of diagonal elements of a matrix. */
    static long diagonal(Shape shape) {
        return Math.min(rows(shape), columns(shape));
    }

    /** Returns the shape without its last {@code inner} dimensions, followed by the given sizes. */
    static Shape leading(Shape shape, int inner, long... sizes) {
        int leading = shape.rank() - inner;
        long[] all = Arrays.copyOf(shape.toArray(), leading + sizes.length);
        System.arraycopy(sizes, 0, all, leading, sizes.length);
        return Shape.of(all);
    }

    /** Returns the shape of the batch dimensions, followed by the given sizes. */
    static Shape batch(Shape shape, long... sizes) {
        return leading(shape, 2, sizes);
    }
}
