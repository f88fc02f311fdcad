package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.functions.Entropy;
import dev.outpost.internal.functions.TimesLog;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Unary;
import java.util.List;

/** Functions of probability and statistics, element by element (torch.special). Integers become float32. */
public interface SpecialOps {
    Tensor self();

    /** The share of a standard normal below. */
    default Tensor ndtr() {
        return Scope.tidy(() -> self().mul(-Math.sqrt(0.5)).erfc().mul(0.5));
    }

    /** exp(self²) · erfc(self), which does not vanish where erfc does. */
    default Tensor erfcx() {
        return Dispatch.unary(Unary.ERFCX, self());
    }

    /** -self · log(self): 0 at 0, -∞ below. */
    default Tensor entr() {
        return Scope.tidy(() -> new Entropy().of(self().to(Numerics.resultDType(self()))));
    }

    /** self · log(1 + other); 0 where self is 0 and other is not NaN. */
    default Tensor xlog1py(Tensor other) {
        return TimesLog.OF_ONE_PLUS_OTHER.of(self(), other);
    }

    /** The logarithm of the multivariate gamma function of that dimension. */
    default Tensor mvlgamma(int dimension) {
        return Scope.tidy(() -> {
            Tensor sum = self().lgamma().add(dimension * (dimension - 1) / 4.0 * Math.log(Math.PI));
            for (int lowered = 1; lowered < dimension; lowered++) {
                sum = sum.add(self().sub(lowered / 2.0).lgamma());
            }
            return sum;
        });
    }

    /** The numbers taken apart into mantissas and powers of 2. Floating dtypes only. */
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

    /** 0 for numbers from 0 on and π for those below, as for complex ones; NaN for NaN. Its gradient is 0. */
    default Tensor angle() {
        return Scope.tidy(() -> {
            Tensor x = self().to(Numerics.resultDType(self()));
            return x.trunc().maskedFill(x.lt(0), Math.PI).maskedFill(x.ge(0), 0);
        });
    }

    /** The tensor itself: there are no complex tensors here. */
    default Tensor real() {
        return self();
    }

    /** As {@link #real()}. */
    default Tensor conj() {
        return self();
    }
}
