package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.functions.ElementwiseFunctions;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import java.util.List;

/** Functions of probability and statistics, element by element (torch.special). Integers become float32. */
public interface SpecialOps {
    Tensor self();

    /** Returns the distribution function of the standard normal distribution. */
    default Tensor ndtr() {
        return Scope.tidy(() -> self().mul(-Math.sqrt(0.5)).erfc().mul(0.5));
    }

    /** Returns exp(self²) · erfc(self). It does not underflow for large numbers as erfc does. */
    default Tensor erfcx() {
        return Dispatch.unary(Unary.ERFCX, self());
    }

    /** Returns the modified Bessel function of the first kind, order 0. */
    default Tensor i0() {
        return Dispatch.unary(Unary.I0, self());
    }

    /** Returns {@link #i0} times exp(-|self|). */
    default Tensor i0e() {
        return Dispatch.unary(Unary.I0E, self());
    }

    /** Returns the modified Bessel function of the first kind, order 1. */
    default Tensor i1() {
        return Dispatch.unary(Unary.I1, self());
    }

    /** Returns {@link #i1} times exp(-|self|). */
    default Tensor i1e() {
        return Dispatch.unary(Unary.I1E, self());
    }

    /** Returns the inverse of {@link #ndtr}: infinite at 0 and 1, NaN outside [0, 1]. */
    default Tensor ndtri() {
        return Dispatch.unary(Unary.NDTRI, self());
    }

    /** Returns the Bessel function of the first kind, order 0. */
    default Tensor besselJ0() {
        return Dispatch.unary(Unary.BESSEL_J0, self());
    }

    /** Returns the Bessel function of the first kind, order 1. */
    default Tensor besselJ1() {
        return Dispatch.unary(Unary.BESSEL_J1, self());
    }

    /** Returns the Bessel function of the second kind, order 0: -∞ at 0, NaN for negative numbers. */
    default Tensor besselY0() {
        return Dispatch.unary(Unary.BESSEL_Y0, self());
    }

    /** Like {@link #besselY0}, but for order 1. */
    default Tensor besselY1() {
        return Dispatch.unary(Unary.BESSEL_Y1, self());
    }

    /** Returns the modified Bessel function of the second kind, order 0: infinite at 0, NaN for negative numbers. */
    default Tensor modifiedBesselK0() {
        return Dispatch.unary(Unary.BESSEL_K0, self());
    }

    /** Like {@link #modifiedBesselK0}, but for order 1. */
    default Tensor modifiedBesselK1() {
        return Dispatch.unary(Unary.BESSEL_K1, self());
    }

    /** Returns {@link #modifiedBesselK0} times exp(self). */
    default Tensor scaledModifiedBesselK0() {
        return Dispatch.unary(Unary.SCALED_K0, self());
    }

    /** Returns {@link #modifiedBesselK1} times exp(self). */
    default Tensor scaledModifiedBesselK1() {
        return Dispatch.unary(Unary.SCALED_K1, self());
    }

    /** Returns the Airy function Ai. */
    default Tensor airyAi() {
        return Dispatch.unary(Unary.AIRY_AI, self());
    }

    /** Like {@link #i0}, under PyTorch's other name. */
    default Tensor modifiedBesselI0() {
        return i0();
    }

    /** Like {@link #i1}, under PyTorch's other name. */
    default Tensor modifiedBesselI1() {
        return i1();
    }

    /** Returns sin(self) / self, and 1 at 0. */
    default Tensor sphericalBesselJ0() {
        return Scope.tidy(() -> {
            Tensor x = self().to(Numerics.resultDType(self()));
            Tensor isSmall = x.abs().lt(0.5);
            Tensor square = x.mul(x).maskedFill(isSmall.logicalNot(), 0);
            Tensor near = square.mul(-1.0 / 110)
                    .add(1)
                    .mul(square)
                    .mul(-1.0 / 72)
                    .add(1)
                    .mul(square)
                    .mul(-1.0 / 42)
                    .add(1)
                    .mul(square)
                    .mul(-1.0 / 20)
                    .add(1)
                    .mul(square)
                    .mul(-1.0 / 6)
                    .add(1);
            Tensor far = x.maskedFill(isSmall, 1);
            Tensor quotient = far.sin().div(far).maskedFill(far.isinf(), 0);
            return near.where(isSmall, quotient);
        });
    }

    /**
     * Returns the logarithm of {@link #ndtr}. It stays finite for negative numbers for which {@link #ndtr}
     * underflows.
     */
    default Tensor logNdtr() {
        return Scope.tidy(() -> {
            Tensor x = self().to(Numerics.resultDType(self()));
            Tensor isLeft = x.lt(-1);
            Tensor left = x.maskedFill(isLeft.logicalNot(), -1);
            Tensor right = x.maskedFill(isLeft, 0);
            Tensor tail = left.mul(-Math.sqrt(0.5))
                    .erfcx()
                    .div(2)
                    .log()
                    .sub(left.mul(left).div(2));
            return tail.where(isLeft, right.mul(Math.sqrt(0.5)).erfc().div(-2).log1p());
        });
    }

    /**
     * Returns the Hurwitz zeta function, the sum over k from 0 of (other + k) to the power of -self. It is infinite
     * where self is 1, and NaN where self is less. No gradient flows to self.
     */
    default Tensor zeta(Tensor other) {
        return Dispatch.binary(Binary.ZETA, self(), other);
    }

    /** Same as {@link #zeta(Tensor)}. */
    default Tensor zeta(Number other) {
        return Dispatch.binary(Binary.ZETA, self(), Operand.of(other));
    }

    /**
     * Returns the regularized lower incomplete gamma function with the parameter self and the upper limit other. No
     * gradient flows to self.
     */
    default Tensor igamma(Tensor other) {
        return Dispatch.binary(Binary.IGAMMA, self(), other);
    }

    /** Returns 1 minus {@link #igamma}. */
    default Tensor igammac(Tensor other) {
        return Dispatch.binary(Binary.IGAMMAC, self(), other);
    }

    /** Returns -self · log(self): 0 at 0, -∞ below. */
    default Tensor entr() {
        return Scope.tidy(() -> ElementwiseFunctions.ENTROPY.of(self().to(Numerics.resultDType(self()))));
    }

    /** Returns self · log(1 + other); 0 where self is 0 and other is not NaN. */
    default Tensor xlog1py(Tensor other) {
        return ElementwiseFunctions.xlog1py(self(), other);
    }

    /** Returns the logarithm of the multivariate gamma function of the given dimension. */
    default Tensor mvlgamma(int dimension) {
        return Scope.tidy(() -> {
            Tensor sum = self().lgamma().add(dimension * (dimension - 1) / 4.0 * Math.log(Math.PI));
            for (int lowered = 1; lowered < dimension; lowered++) {
                sum = sum.add(self().sub(lowered / 2.0).lgamma());
            }
            return sum;
        });
    }

    /** Splits numbers into mantissas and powers of 2. Floating dtypes only. */
    default MantissaAndExponent frexp() {
        Numerics.requireFloating("frexp", self());
        return Scope.tidy(
                () -> {
                    Tensor exponent = GradMode.noGrad(() -> exponent(self()));
                    Tensor half = exponent.div(2, DivMode.TRUNC);
                    Tensor mantissa =
                            self().mul(half.neg().exp2()).mul(half.sub(exponent).exp2());
                    return new MantissaAndExponent(mantissa, exponent.int32());
                },
                result -> List.of(result.mantissa(), result.exponent()));
    }

    /** The logarithm may be off by one at a power of 2. */
    private static Tensor exponent(Tensor x) {
        Tensor magnitude = x.abs();
        Tensor isOrdinary = magnitude.gt(0).logicalAnd(magnitude.isfinite());
        Tensor guess = magnitude.where(isOrdinary, 1).log2().floor();
        Tensor below = guess.add(1).where(magnitude.div(2).ge(guess.exp2()), guess);
        Tensor exact = below.sub(1).where(magnitude.lt(below.exp2()), below);
        return exact.add(1).where(isOrdinary, 0);
    }

    /**
     * Returns the angle in the complex plane: 0 for numbers from 0 on, π for negative numbers, NaN for NaN. Its
     * gradient is 0.
     */
    default Tensor angle() {
        return Scope.tidy(() -> {
            Tensor x = self().to(Numerics.resultDType(self()));
            return x.trunc().maskedFill(x.lt(0), Math.PI).maskedFill(x.ge(0), 0);
        });
    }

    /** Returns the tensor itself, because a {@link Tensor} is never complex. */
    default Tensor real() {
        return self();
    }

    /** Same as {@link #real()}. */
    default Tensor conj() {
        return self();
    }
}
