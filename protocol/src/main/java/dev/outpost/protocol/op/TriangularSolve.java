package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * The X of {@code A X = B} with triangles A {@code [..., n, n]} and B {@code [..., n, k]}, of as many matrices. What is beyond
 * A's triangle is not looked at. Where A has a zero on its diagonal the result is not finite. A batch that is broadcast comes
 * as a view with stride 0, and what stands on the other side as a view with rows and columns exchanged.
 *
 * @param upper (structure) which triangle A is
 * @param unit (structure) whether A's diagonal counts as ones, whatever is there
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
