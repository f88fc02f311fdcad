package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Computes the eigenvalues {@code [..., n]} of symmetric matrices {@code [..., n, n]}, in ascending order. Only the lower triangle of a
 * matrix is read. A second result has eigenvectors of length 1 as columns. In each vector, the first element with at least 0.7 of the
 * largest magnitude is positive, so that engines agree. A matrix that is not finite is a user fault.
 *
 * @param vectors (structure) true if the eigenvectors are computed too
 */
public record Eigh(boolean vectors) implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(207, "eigh", 1);

    static Eigh read(AttributeReader in) {
        return new Eigh(in.flag());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.flag(vectors);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        MatrixChecks.requireSquare(this, operands[0]);
        DType dtype = operands[0].dtype();
        Shape shape = operands[0].shape();
        TensorType values = new TensorType(dtype, MatrixChecks.batch(shape, MatrixChecks.rows(shape)));
        return vectors ? new TensorType[] {values, operands[0]} : new TensorType[] {values};
    }
}
