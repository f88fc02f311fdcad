package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * Replaces element i of a dimension by the fold of the elements 0 to i, inclusive.
 *
 * @param fn the function that combines two elements
 * @param axis (structure) the dimension
 */
public record Cumulative(Reduce.Fn fn, int axis) implements Op {
    static Cumulative read(Reduce.Fn fn, AttributeReader in) {
        return new Cumulative(fn, in.structure().smallInt("axis"));
    }

    @Override
    public OpSignature signature() {
        return fn.cumulative;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axis);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Dimension.require(this, axis, operands[0].shape());
        if (operands[0].dtype() == DType.BOOL) {
            throw new OpException(label(), "not defined for bool, got " + operands[0]);
        }
        return operands.clone();
    }
}
