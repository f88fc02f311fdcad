package dev.outpost.internal.ops;

import dev.outpost.internal.Recording;
import dev.outpost.Tensor;
import dev.outpost.client.numbers.LiveNumber;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;

/** A tensor plus a product or a quotient of two others, all promoted together; 16-bit floats are computed in float32. */
public final class ScaledSum {
    private final String op;
    private final DType dtype;
    private final Tensor addend;
    private final Tensor first;
    private final Tensor second;

    public ScaledSum(String op, Tensor addend, Tensor first, Tensor second) {
        this.op = op;
        dtype = Recording.resultType(addend, first, second);
        if (dtype == DType.BOOL) {
            throw new OpException(
                    op, "not defined for bool, got " + addend.type() + ", " + first.type() + " and " + second.type());
        }
        this.addend = wide(addend);
        this.first = wide(first);
        this.second = wide(second);
    }

    private Tensor wide(Tensor operand) {
        Tensor promoted = operand.to(dtype);
        return dtype.isFloating() ? Numerics.wide(promoted) : promoted;
    }

    /** addend + value · first · second, or / second. */
    public Tensor plus(Binary join, Number value) {
        Tensor joined = Dispatch.binary(join, scaled(value), second);
        return addend.add(joined).to(dtype);
    }

    private Tensor scaled(Number value) {
        boolean isOne = value.doubleValue() == 1 && !(value instanceof LiveNumber);
        return isOne ? first : Dispatch.binary(Binary.MUL, first, factor(value));
    }

    /** 16-bit floats take any factor, since their product is wider. */
    private Operand factor(Number value) {
        return Operand.fitting(op, value, first.dtype());
    }
}
