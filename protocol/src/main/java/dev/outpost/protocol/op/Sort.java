package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.TensorType;

/**
 * Sorts the elements of a dimension. The results are the sorted elements, and the original index (int64) of each. The sort is stable, and
 * NaN counts as the largest. It is a primitive, because a composition would need a loop over elements.
 *
 * @param axis (structure) the dimension
 * @param descending (structure) true for the largest first
 */
public record Sort(int axis, boolean descending) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(196, "sort", 1);

    static Sort read(AttributeReader in) {
        return new Sort(in.structure().smallInt("axis"), in.flag());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axis);
        out.flag(descending);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Dimension.require(this, axis, operands[0].shape());
        return new TensorType[] {operands[0], new TensorType(DType.INT64, operands[0].shape())};
    }
}
