package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.TensorType;

/**
 * {@code out[i][j] = input[index[i][j]][j]} for axis 0: operand 0 is the input, operand 1 the index (int64, of the
 * result's shape). An index out of bounds is a user fault.
 *
 * @param axis (structure) the dimension that the index replaces
 * @param names (structure) the words of the error about an index
 */
public record Gather(int axis, IndexNames names) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(181, "gather", 2);

    public Gather(int axis) {
        this(axis, IndexNames.PLAIN);
    }

    static Gather read(AttributeReader in) {
        return new Gather(in.structure().smallInt("axis"), IndexNames.read(in));
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axis);
        names.write(out);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Dimension.require(this, axis, operands[0].shape());
        Op.requireDType(this, "the index", DType.INT64, operands[1]);
        Dimension.requireWithin(this, "the index", operands[1].shape(), "the input", operands[0].shape(), axis);
        return Op.one(operands[0].dtype(), operands[1].shape());
    }

    @Override
    public String toString() {
        return "Gather[axis=" + axis + "]";
    }
}
