package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Solves {@code A X = B} by the factors of {@link Ldl}. The operands are the packed factors {@code [..., n, n]}, the exchanges, int32
 * {@code [..., n]}, and the right sides {@code [..., n, m]}, of one batch. An exchange beyond the rows is a user fault.
 */
public record LdlSolve() implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(211, "ldl_solve", 3);

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        MatrixChecks.requireSquare(this, operands[0]);
        MatrixChecks.require(this, operands[2]);
        Op.requireSameDType(this, operands[0], operands[2]);
        Shape factors = operands[0].shape();
        Shape right = operands[2].shape();
        boolean fits = MatrixChecks.rows(right) == MatrixChecks.rows(factors)
                && MatrixChecks.batch(right).equals(MatrixChecks.batch(factors));
        if (!fits) {
            throw new OpException(label(), "factors and right sides differ, got " + factors + " and " + right);
        }
        TensorType exchanges = new TensorType(DType.INT32, MatrixChecks.batch(factors, MatrixChecks.rows(factors)));
        if (!operands[1].equals(exchanges)) {
            throw new OpException(label(), "the exchanges must be " + exchanges + ", got " + operands[1]);
        }
        return new TensorType[] {operands[2]};
    }
}
