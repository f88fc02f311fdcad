package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.functions.ElementwiseFunctions;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;

/**
 * Elementwise functions of one tensor: the result has its shape. Integers and bool become float32 where a function
 * needs fractions; those that do not ({@link #abs}, {@link #floor}, …) keep integers and refuse bool.
 */
public interface UnaryOps {
    Tensor self();

    /**
     * Returns -x, in the same dtype. The smallest integer of a dtype stays as it is.
     *
     * {@snippet file="OpExamplesTest.java" region="neg"}
     *
     * @throws OpException for bool
     */
    default Tensor neg() {
        if (self().dtype() == DType.BOOL) {
            throw new OpException("neg", "not defined for bool, use logicalNot, got " + self().type());
        }
        return Dispatch.unary(Unary.NEG, self());
    }

    /**
     * Returns |x|, in the same dtype.
     *
     * {@snippet file="OpExamplesTest.java" region="abs"}
     *
     * @throws OpException for bool
     */
    default Tensor abs() {
        return Dispatch.unary(Unary.ABS, self());
    }

    /** Returns -1, 0 or 1, and 0 for NaN; bool stays bool. */
    default Tensor sign() {
        return self().dtype() == DType.BOOL ? self().clone() : Dispatch.unary(Unary.SIGN, self());
    }

    /** Same as {@link #sign}, because a {@link Tensor} is never complex. */
    default Tensor sgn() {
        return sign();
    }

    /** Returns the tensor itself. Bool is refused. */
    default Tensor positive() {
        if (self().dtype() == DType.BOOL) {
            throw new OpException("positive", "not defined for bool, got " + self().type());
        }
        return self();
    }

    /** Rounds up to the next whole number. Integers are unchanged. */
    default Tensor ceil() {
        return Dispatch.unary(Unary.CEIL, self());
    }

    /** Rounds down to the next whole number. Integers are unchanged. */
    default Tensor floor() {
        return Dispatch.unary(Unary.FLOOR, self());
    }

    /** Rounds toward zero. Integers are unchanged. */
    default Tensor trunc() {
        return Dispatch.unary(Unary.TRUNC, self());
    }

    /** Same as {@link #trunc}. */
    default Tensor fix() {
        return trunc();
    }

    /**
     * Rounds to the nearest whole number, halves to even. Integers are unchanged.
     *
     * {@snippet file="OpExamplesTest.java" region="round"}
     *
     * @throws OpException for bool
     */
    default Tensor round() {
        return Dispatch.unary(Unary.ROUND, self());
    }

    /** Rounds to a number of decimals, halves to even. A negative number rounds to tens, hundreds, …. Integers are unchanged. */
    default Tensor round(int decimals) {
        return Scope.tidy(() -> {
            if (decimals == 0 || !self().dtype().isFloating()) {
                return round();
            }
            Tensor wide = Numerics.wide(self());
            double scale = Math.pow(10, Math.abs(decimals));
            Tensor rounded = decimals > 0
                    ? wide.mul(scale).round().div(scale)
                    : wide.div(scale).round().mul(scale);
            return rounded.to(self().dtype());
        });
    }

    /** Returns the fraction that {@link #trunc} removes, with the sign of x. */
    default Tensor frac() {
        return Scope.tidy(() -> self().sub(trunc()));
    }

    /**
     * Returns √x; NaN for negative numbers. Integers become float32.
     *
     * {@snippet file="OpExamplesTest.java" region="sqrt"}
     */
    default Tensor sqrt() {
        return Dispatch.unary(Unary.SQRT, self());
    }

    /** Returns 1 / √x. */
    default Tensor rsqrt() {
        return Dispatch.unary(Unary.RSQRT, self());
    }

    /** Returns 1 / x. */
    default Tensor reciprocal() {
        return Dispatch.binary(Binary.DIV, Operand.of(1), self());
    }

    /** Returns x · x; bool becomes int64. */
    default Tensor square() {
        return Scope.tidy(() -> {
            Tensor number = self().dtype() == DType.BOOL ? self().to(DType.INT64) : self();
            return number.mul(number);
        });
    }

    /**
     * Returns e to the power of x. Integers become float32.
     *
     * {@snippet file="OpExamplesTest.java" region="exp"}
     */
    default Tensor exp() {
        return Dispatch.unary(Unary.EXP, self());
    }

    /** Returns 2 to the power of x. */
    default Tensor exp2() {
        return Dispatch.unary(Unary.EXP2, self());
    }

    /** Returns exp(x) - 1, exact near 0. */
    default Tensor expm1() {
        return Dispatch.unary(Unary.EXPM1, self());
    }

    /**
     * Returns the natural logarithm; -∞ for 0, NaN for negative numbers. Integers become float32.
     *
     * {@snippet file="OpExamplesTest.java" region="log"}
     */
    default Tensor log() {
        return Dispatch.unary(Unary.LOG, self());
    }

    /** Returns the logarithm to base 2; -∞ for 0, NaN for negative numbers. Integers become float32. */
    default Tensor log2() {
        return Dispatch.unary(Unary.LOG2, self());
    }

    /** Returns the logarithm to base 10; -∞ for 0, NaN for negative numbers. Integers become float32. */
    default Tensor log10() {
        return Dispatch.unary(Unary.LOG10, self());
    }

    /** Returns log(1 + x), exact near 0. */
    default Tensor log1p() {
        return Dispatch.unary(Unary.LOG1P, self());
    }

    /** Returns the sine of an angle in radians. Integers become float32. */
    default Tensor sin() {
        return Dispatch.unary(Unary.SIN, self());
    }

    /** Returns the cosine of an angle in radians. Integers become float32. */
    default Tensor cos() {
        return Dispatch.unary(Unary.COS, self());
    }

    /** Returns the tangent of an angle in radians. Integers become float32. */
    default Tensor tan() {
        return Dispatch.unary(Unary.TAN, self());
    }

    /** Returns the arc sine in radians, in [-π/2, π/2]; NaN outside of [-1, 1]. */
    default Tensor asin() {
        return Dispatch.unary(Unary.ASIN, self());
    }

    /** Returns the arc cosine in radians, in [0, π]; NaN outside of [-1, 1]. */
    default Tensor acos() {
        return Dispatch.unary(Unary.ACOS, self());
    }

    /** Returns the arc tangent in radians, in [-π/2, π/2]. */
    default Tensor atan() {
        return Dispatch.unary(Unary.ATAN, self());
    }

    /** Returns the hyperbolic sine, (exp(x) - exp(-x)) / 2. */
    default Tensor sinh() {
        return Dispatch.unary(Unary.SINH, self());
    }

    /** Returns the hyperbolic cosine, (exp(x) + exp(-x)) / 2. */
    default Tensor cosh() {
        return Dispatch.unary(Unary.COSH, self());
    }

    /** Returns the hyperbolic tangent, in [-1, 1]. Integers become float32. */
    default Tensor tanh() {
        return Dispatch.unary(Unary.TANH, self());
    }

    /** Returns the inverse of {@link #sinh}. */
    default Tensor asinh() {
        return Dispatch.unary(Unary.ASINH, self());
    }

    /** Returns the inverse of {@link #cosh}; NaN below 1. */
    default Tensor acosh() {
        return Dispatch.unary(Unary.ACOSH, self());
    }

    /** Returns the inverse of {@link #tanh}; NaN outside of [-1, 1], infinite at its ends. */
    default Tensor atanh() {
        return Dispatch.unary(Unary.ATANH, self());
    }

    /**
     * Returns 1 / (1 + exp(-x)). Integers become float32.
     *
     * {@snippet file="OpExamplesTest.java" region="sigmoid"}
     */
    default Tensor sigmoid() {
        return Dispatch.unary(Unary.SIGMOID, self());
    }

    /** Returns the error function. */
    default Tensor erf() {
        return Dispatch.unary(Unary.ERF, self());
    }

    /** Returns 1 - erf(x), exact where erf is near 1. */
    default Tensor erfc() {
        return Dispatch.unary(Unary.ERFC, self());
    }

    /** Returns the inverse of {@link #erf}. */
    default Tensor erfinv() {
        return Dispatch.unary(Unary.ERFINV, self());
    }

    /** Returns log |Γ(x)|. */
    default Tensor lgamma() {
        return Dispatch.unary(Unary.LGAMMA, self());
    }

    /** Returns the derivative of log Γ. */
    default Tensor digamma() {
        return Dispatch.unary(Unary.DIGAMMA, self());
    }

    /** Returns the derivative of {@link #digamma} of the given order; order 0 is digamma itself. */
    default Tensor polygamma(int order) {
        if (order < 0) {
            throw new OpException("polygamma", "the order must not be negative, got " + order);
        }
        return Dispatch.binary(Binary.POLYGAMMA, Operand.of(order), self());
    }

    /** Returns sin(πx) / (πx), and 1 at 0. */
    default Tensor sinc() {
        return ElementwiseFunctions.SINC.of(self());
    }

    /** Converts degrees to radians. */
    default Tensor deg2rad() {
        return self().mul(Math.PI / 180);
    }

    /** Converts radians to degrees. */
    default Tensor rad2deg() {
        return self().mul(180 / Math.PI);
    }

    /** Returns log(x / (1 - x)), the inverse of {@link #sigmoid}; NaN outside [0, 1]. */
    default Tensor logit() {
        return ElementwiseFunctions.LOGIT.of(self());
    }

    /** Like {@link #logit()}, but with x clamped to [eps, 1 - eps]. */
    default Tensor logit(double eps) {
        return Scope.tidy(() -> {
            Tensor x = self().to(Numerics.resultDType(self()));
            Tensor isBeyond = x.lt(eps).logicalOr(x.gt(1 - eps));
            // No gradient flows to elements beyond the bounds. Unlike clamp, it does flow to elements at the bounds.
            return x.detach().clamp(eps, 1 - eps).where(isBeyond, x).logit();
        });
    }
}
