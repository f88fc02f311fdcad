package dev.outpost.protocol.op;

import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * One number everywhere.
 *
 * @param shape (structure) the result's shape
 * @param value its dtype (structure) and the number (data)
 */
public record Fill(Shape shape, Scalar value) implements Op {
    static final int CODE = 170;

    static Fill read(AttributeReader in) {
        return new Fill(in.shape(), in.scalar());
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public String label() {
        return "full";
    }

    @Override
    public int arity() {
        return 0;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.shape(shape);
        out.scalar(value);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        return Op.one(value.dtype(), shape);
    }
}
