package dev.outpost.internal.ops;

import dev.outpost.client.numbers.LiveNumber;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;

/** A tensor plus a product or a quotient of two others, all promoted together; 16-bit floats are computed in float32. */
public final class ScaledSum {
    private final String op;
    private final DType dtype;
    private final TensorState addend;
    private final TensorState first;
    private final TensorState second;

    public ScaledSum(String op, TensorState addend, TensorState first, TensorState second) {
        this.op = op;
        dtype = OpRecording.resultType(addend, first, second);
        if (dtype == DType.BOOL) {
            throw new OpException(
                    op, "not defined for bool, got " + addend.type() + ", " + first.type() + " and " + second.type());
        }
        this.addend = wide(addend);
        this.first = wide(first);
        this.second = wide(second);
    }

    private TensorState wide(TensorState operand) {
        boolean isNarrow = dtype.isFloating() && dtype.bytes() == 2;
        Operand promoted = operand.cast(dtype);
        return (TensorState) (isNarrow ? promoted.cast(DType.FLOAT32) : promoted);
    }

    /** Computes addend + value · first · second, or addend + value · first / second. */
    public TensorState plus(Binary join, Number value) {
        TensorState joined = OpRecording.binary(join, scaled(value), second);
        return (TensorState) OpRecording.binary(Binary.ADD, addend, joined).cast(dtype);
    }

    private TensorState scaled(Number value) {
        boolean isOne = value.doubleValue() == 1 && !(value instanceof LiveNumber);
        return isOne ? first : OpRecording.binary(Binary.MUL, first, factor(value));
    }

    /** Returns the factor as an operand. 16-bit floats accept any factor, because their product is computed in float32. */
    private Operand factor(Number value) {
        return Operand.fitting(op, value, first.dtype());
    }
}
