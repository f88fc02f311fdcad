package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Solves {@code A X = B} for X, with triangular matrices A {@code [..., n, n]} and equally many matrices B {@code [..., n, k]}. Elements
 * beyond A's triangle are not read. If A has a zero on its diagonal, the result is not finite. Callers express a broadcast batch by a view
 * with stride 0, and a solve from the other side by a view with rows and columns exchanged.
 *
 * @param upper (structure) true if A is an upper triangle
 * @param unit (structure) true if A's diagonal counts as ones and is not read
 */
public record TriangularSolve(boolean upper, boolean unit) implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(205, "solve_triangular", 2);

    static TriangularSolve read(AttributeReader in) {
        return new TriangularSolve(in.flag(), in.flag());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.flag(upper);
        out.flag(unit);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireSameDType(this, operands[0], operands[1]);
        MatrixChecks.requireSquare(this, operands[0]);
        MatrixChecks.require(this, operands[1]);
        Shape triangles = operands[0].shape();
        Shape right = operands[1].shape();
        if (!MatrixChecks.batch(triangles).equals(MatrixChecks.batch(right))
                || MatrixChecks.rows(right) != MatrixChecks.rows(triangles)) {
            throw new OpException(
                    label(), "as many matrices with as many rows are needed, got " + triangles + " and " + right);
        }
        return new TensorType[] {operands[1]};
    }
}
