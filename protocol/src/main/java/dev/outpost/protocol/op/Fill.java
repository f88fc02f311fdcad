package dev.outpost.protocol.op;

import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Makes a tensor whose elements all equal one number.
 *
 * @param shape (structure) the result's shape
 * @param value its dtype (structure) and the number (data)
 */
public record Fill(Shape shape, Scalar value) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(170, "full", 0);

    static Fill read(AttributeReader in) {
        return new Fill(in.shape(), in.scalar());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
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
