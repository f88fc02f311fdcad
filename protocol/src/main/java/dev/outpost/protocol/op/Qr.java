package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Factors matrices {@code [..., m, n]} as {@code A = Q R}, where Q has orthonormal columns and R is an upper triangle. It uses
 * Householder's reflections, with the signs of LAPACK. A matrix that is not finite has NaN for results.
 *
 * @param form (structure) the results
 */
public record Qr(Form form) implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(206, "qr", 1);

    /** The form of the results. The order of the constants is part of the wire format. */
    public enum Form {
        /** Two results: as many columns of Q as the smaller side has, and as many rows of R. */
        REDUCED,
        /** Two results: a square Q, and R of A's shape. */
        COMPLETE,
        /**
         * Two results: a matrix of A's shape and the factors of the reflections. The matrix holds R on and above the diagonal and
         * the reflections below it.
         */
        REFLECTIONS,
        /** One result: the R of {@link #REDUCED}. */
        TRIANGLE
    }

    private static final Form[] FORMS = Form.values();

    static Qr read(AttributeReader in) {
        return new Qr(in.choice("form of qr", FORMS));
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.choice(form);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        MatrixChecks.require(this, operands[0]);
        DType dtype = operands[0].dtype();
        Shape shape = operands[0].shape();
        long rows = MatrixChecks.rows(shape);
        long steps = MatrixChecks.diagonal(shape);
        TensorType triangle = new TensorType(dtype, MatrixChecks.batch(shape, steps, MatrixChecks.columns(shape)));
        return switch (form) {
            case REDUCED -> new TensorType[] {new TensorType(dtype, MatrixChecks.batch(shape, rows, steps)), triangle};
            case COMPLETE ->
                new TensorType[] {new TensorType(dtype, MatrixChecks.batch(shape, rows, rows)), operands[0]};
            case REFLECTIONS -> new TensorType[] {operands[0], new TensorType(dtype, MatrixChecks.batch(shape, steps))};
            case TRIANGLE -> new TensorType[] {triangle};
        };
    }
}
