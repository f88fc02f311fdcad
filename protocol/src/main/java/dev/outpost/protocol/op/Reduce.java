package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * Folds dimensions into one element. 16-bit floats accumulate in float32.
 *
 * @param fn the function that combines two elements
 * @param axes (structure) the dimensions that are folded; nothing is folded if it is empty
 * @param keepDims (structure) true if they stay, with size 1
 */
public record Reduce(Fn fn, Axes axes, boolean keepDims) implements Op {
    /** The difference between the code of a {@link Cumulative} and the code of the reduction with the same function. */
    private static final int CUMULATIVE_DISTANCE = 10;

    /** The ops with wire codes 140 to 147. */
    public enum Fn {
        SUM(140, "sum", "cumsum"),
        PROD(141, "prod", "cumprod"),
        /** NaN if any element is NaN; for bool, true if any element is. An empty reduction is an error. */
        MAX(142, "amax", "cummax"),
        /** NaN if any element is NaN; for bool, true if all elements are. An empty reduction is an error. */
        MIN(143, "amin", "cummin");

        final OpSignature signature;
        final OpSignature cumulative;

        Fn(int code, String label, String cumulativeLabel) {
            signature = new OpSignature(code, label, 1);
            cumulative = new OpSignature(code + CUMULATIVE_DISTANCE, cumulativeLabel, 1);
        }
    }

    static Reduce read(Fn fn, AttributeReader in) {
        return new Reduce(fn, new Axes(in.structure().varint()), in.flag());
    }

    @Override
    public OpSignature signature() {
        return fn.signature;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axes.bits());
        out.flag(keepDims);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        TensorType operand = operands[0];
        axes.requireWithin(label(), operand.shape().rank());
        boolean selects = fn == Fn.MAX || fn == Fn.MIN;
        if (!selects && operand.dtype() == DType.BOOL) {
            throw new OpException(label(), "not defined for bool, got " + operand);
        }
        if (selects) {
            requireElements(operand);
        }
        return Op.one(operand.dtype(), axes.reduce(operand.shape(), keepDims));
    }

    private void requireElements(TensorType operand) {
        for (int dim = 0; dim < operand.shape().rank(); dim++) {
            if (axes.contains(dim) && operand.shape().size(dim) == 0) {
                throw new OpException(
                        label(), "nothing to choose from in dimension " + dim + " of size 0, got " + operand.shape());
            }
        }
    }
}
