package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * {@code A = L D Lᵀ} of symmetric matrices {@code [..., n, n]}, of which only the lower triangle is read, with rows and columns
 * exchanged as Bunch and Kaufman choose. Three results, as LAPACK's sytrf packs them: L below the diagonal and D's blocks on it, zeros
 * above; the exchanges, int32 {@code [..., n]}, counted from 1, negative for both rows of a block of two; and for each matrix an int32:
 * 0, or the number of the first zero of D. A matrix that is not finite has NaN for factors.
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
