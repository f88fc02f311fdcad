package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.TensorType;

/**
 * Checks indices into a dimension. Negative indices count from the end and become positive. An index out of bounds is a user fault. It is a
 * primitive, because a composition could not fail.
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
