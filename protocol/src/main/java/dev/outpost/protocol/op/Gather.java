package dev.outpost.protocol.op;

import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.TensorType;

/**
 * {@code out[i][j] = input[index[i][j]][j]} for axis 0: operand 0 is the input, operand 1 the index (int64, of the
 * result's shape). An index out of bounds is a user fault.
 *
 * @param axis (structure) the dimension that the index replaces
 */
public record Gather(int axis) implements Op {
    static final int CODE = 181;

    static Gather read(AttributeReader in) {
        return new Gather(in.structure().smallInt("axis"));
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public String label() {
        return "gather";
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
        Dimension.requireWithin(this, "the index", operands[1].shape(), "the input", operands[0].shape(), axis);
        return Op.one(operands[0].dtype(), operands[1].shape());
    }
}
