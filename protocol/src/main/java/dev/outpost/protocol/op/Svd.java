package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Factors matrices {@code [..., m, n]} as {@code A = U S Vᵀ}, where U and V have orthonormal columns. The singular values S are in
 * descending order, and none of them is negative. The signs of U's columns follow the rule of {@link Eigh}'s vectors, and V's signs follow
 * from them. A matrix that is not finite is a user fault.
 *
 * @param form (structure) the results
 */
public record Svd(Form form) implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(208, "svd", 1);

    /** The form of the results. The order of the constants is part of the wire format. */
    public enum Form {
        /** One result: the singular values. */
        VALUES,
        /** Three results, U, S and Vᵀ: as many vectors as the smaller side has. */
        REDUCED,
        /** Three results, of which U and Vᵀ are square. */
        FULL
    }

    private static final Form[] FORMS = Form.values();

    static Svd read(AttributeReader in) {
        return new Svd(in.choice("form of svd", FORMS));
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
        long columns = MatrixChecks.columns(shape);
        long min = MatrixChecks.diagonal(shape);
        TensorType values = new TensorType(dtype, MatrixChecks.batch(shape, min));
        if (form == Form.VALUES) {
            return new TensorType[] {values};
        }
        boolean isFull = form == Form.FULL;
        return new TensorType[] {
            new TensorType(dtype, MatrixChecks.batch(shape, rows, isFull ? rows : min)),
            values,
            new TensorType(dtype, MatrixChecks.batch(shape, isFull ? columns : min, columns))
        };
    }
}
