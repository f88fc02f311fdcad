package dev.outpost;

import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.types.DType;

/** Euclid's algorithm, everywhere as often as the largest numbers need it. */
final class Divisors {
    private static final double LOG_GOLDEN_RATIO = Math.log((1 + Math.sqrt(5)) / 2);

    private Divisors() {}

    static Tensor gcd(Tensor first, Tensor second) {
        if (!first.dtype().isIntegral() || !second.dtype().isIntegral()) {
            throw new OpException("gcd", "integers are needed, got " + first.type() + " and " + second.type());
        }
        Tensor small = first.abs().add(second.zerosLike());
        Tensor large = second.abs().add(first.zerosLike());
        for (int step = steps(small, large); step > 0; step--) {
            Tensor isDone = small.eq(0);
            Tensor rest = large.remainder(small.maskedFill(isDone, 1)).maskedFill(isDone, 0);
            large = large.where(isDone, small);
            small = rest;
        }
        return large;
    }

    /** Numbers take the longest if they are neighbours in Fibonacci's series (Lamé). */
    private static int steps(Tensor first, Tensor second) {
        if (first.numel() == 0) {
            return 0;
        }
        Tensor largest = first.maximum(second).to(DType.FLOAT64).amax();
        return 3 + (int) (Math.log(Math.max(1, largest.itemDouble())) / LOG_GOLDEN_RATIO);
    }
}
