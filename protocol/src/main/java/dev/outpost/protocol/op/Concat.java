package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Concatenates one or more operands of one dtype along a dimension.
 *
 * @param axis (structure) the dimension
 */
public record Concat(int axis) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(197, "cat", VARIADIC);

    static Concat read(AttributeReader in) {
        return new Concat(in.structure().smallInt("axis"));
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axis);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        if (operands.length == 0) {
            throw new OpException(label(), "at least one tensor is needed, got none");
        }
        Shape first = operands[0].shape();
        Dimension.require(this, axis, first);
        long total = 0;
        for (TensorType operand : operands) {
            Op.requireSameDType(this, operands[0], operand);
            requireSameOutside(first, operand.shape());
            total += operand.shape().size(axis);
            if (total < 0) {
                throw new OpException(
                        label(),
                        "the size of dimension " + axis + " overflows, got " + first + " and " + operand.shape());
            }
        }
        return Op.one(operands[0].dtype(), Dimension.resize(first, axis, total));
    }

    private void requireSameOutside(Shape first, Shape other) {
        boolean fits = other.rank() == first.rank()
                && Dimension.resize(other, axis, first.size(axis)).equals(first);
        if (!fits) {
            throw new OpException(
                    label(), "sizes must match except in dimension " + axis + ", got " + first + " and " + other);
        }
    }
}
