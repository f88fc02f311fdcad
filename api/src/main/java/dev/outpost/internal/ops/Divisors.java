package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.OpRecording;
import dev.outpost.ops.DivMode;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;

/** Greatest common divisors and least common multiples of integers. */
public final class Divisors {
    private Divisors() {}

    public static Tensor gcd(Tensor first, Tensor second) {
        DType dtype = resultType("gcd", first, second);
        return Dispatch.binary(Binary.GCD, first.to(dtype), second.to(dtype));
    }

    /** Returns the least common multiple. If the dtype cannot hold it, its absolute value wraps. */
    public static Tensor lcm(Tensor first, Tensor second) {
        DType dtype = resultType("lcm", first, second);
        DType wide = dtype.bytes() < DType.INT32.bytes() ? DType.INT32 : dtype;
        Tensor left = first.to(dtype).to(wide);
        Tensor right = second.to(dtype).to(wide);
        Tensor divisor = Dispatch.binary(Binary.GCD, left, right);
        return left.div(divisor.maskedFill(divisor.eq(0), 1), DivMode.TRUNC)
                .mul(right)
                .abs()
                .to(dtype);
    }

    private static DType resultType(String op, Tensor first, Tensor second) {
        DType dtype = OpRecording.resultType(first, second);
        if (!dtype.isIntegral()) {
            throw new OpException(op, "integers are needed, got " + first.type() + " and " + second.type());
        }
        return dtype;
    }
}
