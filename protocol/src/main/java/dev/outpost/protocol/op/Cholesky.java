package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.TensorType;

/**
 * Factors symmetric matrices {@code [..., n, n]} as {@code A = L Lᵀ}, where L is a lower triangle with a positive diagonal. Only the lower
 * triangle of A is read. The first result is L, with zeros above its diagonal. The second one is an int32 for each matrix: 0, or the number
 * of the first leading minor that is not positive or not finite. The L of such a matrix is NaN.
 *
 * @param checked (structure) true if a matrix that is not positive definite is a user fault
 */
public record Cholesky(boolean checked) implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(202, "cholesky", 1);

    static Cholesky read(AttributeReader in) {
        return new Cholesky(in.flag());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.flag(checked);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        MatrixChecks.requireSquare(this, operands[0]);
        return new TensorType[] {operands[0], new TensorType(DType.INT32, MatrixChecks.batch(operands[0].shape()))};
    }
}
