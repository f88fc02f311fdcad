package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Finds the index (int64) of the largest or smallest element of a dimension. It is the index of a NaN if there is one, and of the first
 * element if several are equal.
 *
 * @param fn largest or smallest
 * @param axis (structure) the dimension
 * @param keepDims (structure) true if the dimension stays, with size 1
 */
public record ArgReduce(Fn fn, int axis, boolean keepDims) implements Op {

    /** The ops with wire codes 148 and 149. */
    public enum Fn {
        ARGMAX(148, "argmax"),
        ARGMIN(149, "argmin");

        final OpSignature signature;

        Fn(int code, String label) {
            signature = new OpSignature(code, label, 1);
        }
    }

    static ArgReduce read(Fn fn, AttributeReader in) {
        return new ArgReduce(fn, in.structure().smallInt("axis"), in.flag());
    }

    @Override
    public OpSignature signature() {
        return fn.signature;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axis);
        out.flag(keepDims);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Shape shape = operands[0].shape();
        Dimension.require(this, axis, shape);
        if (shape.size(axis) == 0) {
            throw new OpException(label(), "nothing to choose from in dimension " + axis + " of size 0, got " + shape);
        }
        return Op.one(DType.INT64, Axes.of(axis).reduce(shape, keepDims));
    }
}
