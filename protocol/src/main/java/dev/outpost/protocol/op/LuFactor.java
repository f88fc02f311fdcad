package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Factors matrices {@code [..., m, n]} as {@code P A = L U}, with rows exchanged so that each step divides by the largest element. The op
 * has three results. The first one is a matrix with L below the diagonal (L's own diagonal is ones), and U on the diagonal and above. The
 * second one has the exchanges, int32 {@code [..., min(m, n)]}: element i is the row, counted from 1, that step i exchanged with row i. The
 * third one has an int32 for each matrix: 0, or the number of the first zero on U's diagonal. For a matrix that is not finite, the factors
 * are NaN, no row is exchanged, and the third result is 0.
 *
 * @param checked (structure) true if a zero on U's diagonal is a user fault
 */
public record LuFactor(boolean checked) implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(203, "lu_factor", 1);

    static LuFactor read(AttributeReader in) {
        return new LuFactor(in.flag());
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
        MatrixChecks.require(this, operands[0]);
        Shape shape = operands[0].shape();
        return new TensorType[] {
            operands[0],
            new TensorType(DType.INT32, MatrixChecks.batch(shape, MatrixChecks.diagonal(shape))),
            new TensorType(DType.INT32, MatrixChecks.batch(shape))
        };
    }
}
