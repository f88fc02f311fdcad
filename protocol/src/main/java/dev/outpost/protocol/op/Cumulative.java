package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * Element i of a dimension becomes the fold of elements 0 to i.
 *
 * @param fn what combines two elements
 * @param axis (structure) the dimension
 */
public record Cumulative(Reduce.Fn fn, int axis) implements Op {
    private static final int FIRST_CODE = 150;

    static Cumulative read(Reduce.Fn fn, AttributeReader in) {
        return new Cumulative(fn, in.structure().smallInt("axis"));
    }

    static int code(Reduce.Fn fn) {
        return FIRST_CODE + fn.code - Reduce.Fn.SUM.code;
    }

    @Override
    public int code() {
        return code(fn);
    }

    @Override
    public String label() {
        return switch (fn) {
            case SUM -> "cumsum";
            case PROD -> "cumprod";
            case MAX -> "cummax";
            case MIN -> "cummin";
        };
    }

    @Override
    public int arity() {
        return 1;
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
