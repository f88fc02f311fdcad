package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.ops.DivMode;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;

/** Euclid's algorithm, everywhere as often as the largest numbers need it. */
public final class Divisors {
    private static final double LOG_GOLDEN_RATIO = Math.log((1 + Math.sqrt(5)) / 2);

    private Divisors() {}

    public static Tensor gcd(Tensor first, Tensor second) {
        DType dtype = resultType("gcd", first, second);
        return gcd(first.to(dtype), second.to(dtype), dtype);
    }

    private static Tensor gcd(Tensor first, Tensor second, DType dtype) {
        Tensor small = first.abs().add(second.zerosLike());
        Tensor large = second.abs().add(first.zerosLike());
        for (int step = steps(small, large); step > 0; step--) {
            Tensor isDone = small.eq(0);
            Tensor rest = large.fmod(small.maskedFill(isDone, 1)).maskedFill(isDone, 0);
            large = large.where(isDone, small);
            small = rest;
        }
        return large.to(dtype);
    }

    /** A multiple that the dtype does not hold wraps after its sign is taken away. */
    public static Tensor lcm(Tensor first, Tensor second) {
        DType dtype = resultType("lcm", first, second);
        DType wide = dtype.bytes() < DType.INT32.bytes() ? DType.INT32 : dtype;
        Tensor left = first.to(dtype).to(wide);
        Tensor right = second.to(dtype).to(wide);
        Tensor divisor = gcd(left, right, wide);
        return left.div(divisor.maskedFill(divisor.eq(0), 1), DivMode.TRUNC)
                .mul(right)
                .abs()
                .to(dtype);
    }

    private static DType resultType(String op, Tensor first, Tensor second) {
        DType dtype = Dispatch.resultType(first, second);
        if (!dtype.isIntegral()) {
            throw new OpException(op, "integers are needed, got " + first.type() + " and " + second.type());
        }
        return dtype;
    }

    /** Numbers take the longest if they are neighbours in Fibonacci's series (Lamé). */
    private static int steps(Tensor first, Tensor second) {
        if (first.numel() == 0) {
            return 0;
        }
        Tensor largest = magnitude(first).maximum(magnitude(second)).amax();
        return 3 + (int) (Math.log(Math.max(1, largest.itemDouble())) / LOG_GOLDEN_RATIO);
    }

    /** The smallest integer has no positive counterpart of its dtype. */
    private static Tensor magnitude(Tensor tensor) {
        return tensor.to(DType.FLOAT64).abs();
    }
}
