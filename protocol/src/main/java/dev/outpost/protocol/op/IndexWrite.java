package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * The counterpart of {@link IndexSelect}: {@code out = base; out[index[i]] fn= source[i]} for axis 0, in the index's order. Operands:
 * base, index (int64, one dimension), source. An index out of bounds is a user fault.
 *
 * @param fn combines an element of the source with the present one
 * @param axis (structure) the dimension that is indexed
 * @param names (structure) the words of the error about an index
 */
public record IndexWrite(Scatter.Fn fn, int axis, IndexNames names) implements Op {

    public IndexWrite(Scatter.Fn fn, int axis) {
        this(fn, axis, IndexNames.PLAIN);
    }

    static IndexWrite read(Scatter.Fn fn, AttributeReader in) {
        return new IndexWrite(fn, in.structure().smallInt("axis"), IndexNames.read(in));
    }

    @Override
    public OpSignature signature() {
        return fn.indexWrite;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axis);
        names.write(out);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Shape base = operands[0].shape();
        Shape index = operands[1].shape();
        Dimension.require(this, axis, base);
        Op.requireDType(this, "the index", DType.INT64, operands[1]);
        Op.requireSameDType(this, operands[0], operands[2]);
        boolean fits = index.rank() == 1 && operands[2].shape().equals(Dimension.resize(base, axis, index.elements()));
        if (!fits) {
            throw new OpException(
                    label(),
                    "the source must have a slice for each index, got base " + base + ", index " + index
                            + " and source " + operands[2].shape());
        }
        return new TensorType[] {operands[0]};
    }

    @Override
    public String toString() {
        return "IndexWrite[fn=" + fn + ", axis=" + axis + "]";
    }
}
