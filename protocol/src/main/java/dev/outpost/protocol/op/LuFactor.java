package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * {@code P A = L U} of matrices {@code [..., m, n]}, rows exchanged so that each step divides by what is largest. Three results:
 * L below the diagonal, whose own is of ones, and U on it and above; the exchanges, int32 {@code [..., min(m, n)]}, counted
 * from 1: step i exchanged row i with that one; and for each matrix an int32: 0, or the number of the first zero on U's
 * diagonal. A matrix that is not finite has NaN for factors, exchanges nothing, and 0.
 *
 * @param checked (structure) whether a zero on U's diagonal is a user fault
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
