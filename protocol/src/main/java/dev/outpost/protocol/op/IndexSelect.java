package dev.outpost.protocol.op;

import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.TensorType;

/**
 * Whole slices of a dimension, in the order of a one-dimensional index (int64): an embedding's look-up. Operands: input,
 * index. An index out of bounds is a user fault. Apart from {@link Gather} because one index serves a whole slice.
 *
 * @param axis (structure) the dimension that is indexed
 */
public record IndexSelect(int axis) implements Op {
    static final int CODE = 182;

    static IndexSelect read(AttributeReader in) {
        return new IndexSelect(in.structure().smallInt("axis"));
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public String label() {
        return "index_select";
    }

    @Override
    public int arity() {
        return 2;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axis);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Dimension.require(this, axis, operands[0].shape());
        Op.requireDType(this, "the index", DType.INT64, operands[1]);
        if (operands[1].shape().rank() != 1) {
            throw new OpException(label(), "the index must have one dimension, got " + operands[1].shape());
        }
        return Op.one(
                operands[0].dtype(),
                Dimension.resize(operands[0].shape(), axis, operands[1].shape().elements()));
    }
}
