package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * Selects whole slices of a dimension, in the order of a one-dimensional index (int64), like the look-up of embeddings. The operands are
 * the input and the index. An index out of bounds is a user fault. Unlike {@link Gather}, one index selects a whole slice.
 *
 * @param axis (structure) the dimension that is indexed
 * @param names (structure) the words of the error about an index
 */
public record IndexSelect(int axis, IndexNames names) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(182, "index_select", 2);

    public IndexSelect(int axis) {
        this(axis, IndexNames.PLAIN);
    }

    static IndexSelect read(AttributeReader in) {
        return new IndexSelect(in.structure().smallInt("axis"), IndexNames.read(in));
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
        if (operands[1].shape().rank() != 1) {
            throw new OpException(label(), "the index must have one dimension, got " + operands[1].shape());
        }
        return Op.one(
                operands[0].dtype(),
                Dimension.resize(operands[0].shape(), axis, operands[1].shape().elements()));
    }

    @Override
    public String toString() {
        return "IndexSelect[axis=" + axis + "]";
    }
}
