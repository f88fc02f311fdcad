package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.TensorType;

/**
 * Indices into a dimension, counted from the front: negative ones are made so, and one out of bounds is a user fault.
 * A primitive because a composition could not refuse.
 *
 * @param size (structure) the size of the dimension
 */
public record IndexCheck(long size) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(180, "index", 1);

    static IndexCheck read(AttributeReader in) {
        return new IndexCheck(in.structure().varint());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(size);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireDType(this, "the index", DType.INT64, operands[0]);
        return operands.clone();
    }
}
