package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Computes the eigenvalues of square matrices {@code [..., n, n]}. They are complex, so their real and imaginary parts are two results
 * {@code [..., n]}, in ascending order of the real part and then of the imaginary part. Two more results have the real and imaginary parts
 * of eigenvectors of length 1 as columns. In each vector, the first element with at least 0.7 of the largest magnitude is real and
 * positive, so that engines agree. A matrix that is not finite is a user fault.
 *
 * @param vectors (structure) true if the eigenvectors are computed too
 */
public record Eig(boolean vectors) implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(221, "eig", 1);

    static Eig read(AttributeReader in) {
        return new Eig(in.flag());
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
        return vectors
                ? new TensorType[] {values, values, operands[0], operands[0]}
                : new TensorType[] {values, values};
    }
}
