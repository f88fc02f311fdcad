package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Factors symmetric matrices {@code [..., n, n]} as {@code A = L D Lᵀ}, with rows and columns exchanged by Bunch and Kaufman's rule. Only
 * the lower triangle of A is read. The op has three results, packed as by LAPACK's sytrf. The first one has L below the diagonal, D's
 * blocks on it, and zeros above. The second one has the exchanges, int32 {@code [..., n]}, counted from 1, and negative for both rows of a
 * block of two. The third one has an int32 for each matrix: 0, or the number of the first zero of D. A matrix that is not finite has NaN
 * for factors.
 */
public record Ldl() implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(210, "ldl_factor", 1);

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        MatrixChecks.requireSquare(this, operands[0]);
        Shape shape = operands[0].shape();
        return new TensorType[] {
            operands[0],
            new TensorType(DType.INT32, MatrixChecks.batch(shape, MatrixChecks.rows(shape))),
            new TensorType(DType.INT32, MatrixChecks.batch(shape))
        };
    }
}
