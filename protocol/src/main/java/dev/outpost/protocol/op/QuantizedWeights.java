package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** The checks that all ops over quantized weights share. */
final class QuantizedWeights {
    private QuantizedWeights() {}

    /**
     * Checks the codes, scales and zero points of weights {@code [outputs, inputs]}, which are the operands 1 to 3.
     *
     * @param floats the name of operand 0
     */
    static void requireTypes(Op op, int bits, String floats, TensorType... operands) {
        if (bits != 4 && bits != 8) {
            throw new OpException(op.label(), "codes have 4 or 8 bits, got " + bits);
        }
        requireFloat(op, floats, operands[0].dtype());
        requireFloat(op, "scales", operands[2].dtype());
        Op.requireDType(op, "codes", DType.UINT8, operands[1]);
        Op.requireDType(op, "zero points", DType.UINT8, operands[3]);
    }

    private static void requireFloat(Op op, String what, DType dtype) {
        switch (dtype) {
            case FLOAT32, FLOAT16, BFLOAT16 -> {}
            case FLOAT64, INT64, INT32, INT16, INT8, UINT8, BOOL ->
                throw new OpException(op.label(), what + " must be float32, float16 or bfloat16, got " + dtype);
        }
    }

    /** Returns true if codes, scales and zero points have the shapes for weights with the given number of inputs. */
    static boolean fit(int bits, int group, long inputs, Shape codes, Shape scales, Shape zeros) {
        return codes.rank() == 2
                && scales.rank() == 2
                && scales.equals(zeros)
                && group > 0
                && inputs % group == 0
                && group * (long) bits % Byte.SIZE == 0
                && codes.size(1) == inputs * bits / Byte.SIZE
                && scales.size(0) == codes.size(0)
                && scales.size(1) == inputs / group;
    }
}
