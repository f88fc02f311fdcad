package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Ternary;

/** Functions of each element by itself that have a gradient of their own. */
public final class ElementwiseFunctions {
    private ElementwiseFunctions() {}

    /** A function of each element by itself, with a rule of its own for how gradients go back. */
    public abstract static class ElementwiseFunction extends LibraryFunction {
        /** The function, by tensor ops; in float32 at least, so that what cancels keeps its digits. */
        public abstract Tensor value(Tensor x);

        /** The gradient of x from that of the result, by tensor ops that can be differentiated in turn. */
        public abstract Tensor gradient(Tensor x, Tensor ofResult);

        public Tensor of(Tensor x) {
            return apply(x)[0];
        }

        @Override
        protected final Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {
                Scope.tidy(() -> value(Numerics.wide(inputs[0])).to(Numerics.resultDType(inputs[0])))
            };
        }

        @Override
        protected final Tensor[] backward(Context context, Tensor... gradients) {
            Tensor x = context.saved(0);
            return new Tensor[] {
                Scope.tidy(() ->
                        gradient(Numerics.wide(x), Numerics.wide(gradients[0])).to(x.dtype()))
            };
        }
    }

    /**
     * A function of each element by itself, whose gradient is that of its result times one slope. The chain rule would keep a factor for
     * each step of the function; the slope follows from what forward sees, so a kernel of forward can leave it in place of them all.
     */
    public abstract static class ActivationWithDerivative extends ElementwiseFunction {
        /** The derivative, by tensor ops that can be differentiated in turn. */
        public abstract Tensor slope(Tensor x);

        @Override
        public final Tensor gradient(Tensor x, Tensor ofResult) {
            return ofResult.mul(slope(x));
        }
    }

    /**
     * scale · x where x is positive, scale · alpha · (exp(x · inputScale) - 1) elsewhere; the exponential linear units are these. The
     * slope is that of the exponential itself: exp(x) - 1 keeps no digit of a small exp(x) to add 1 to.
     */
    public static final class Elu extends ElementwiseFunction {
        private final double alpha;
        private final double scale;
        private final double inputScale;

        public Elu(double alpha, double scale, double inputScale) {
            this.alpha = alpha;
            this.scale = scale;
            this.inputScale = inputScale;
        }

        @Override
        public Tensor value(Tensor x) {
            return x.mul(scale)
                    .where(
                            positiveOrNanMask(x),
                            exponent(x, positiveOrNanMask(x)).expm1().mul(alpha).mul(scale));
        }

        @Override
        public Tensor gradient(Tensor x, Tensor ofResult) {
            // At 0 the first derivative is that of the exponential, and the second derivative is 0, as in PyTorch.
            Tensor elsewhere =
                    ofResult.mul(exponent(x, x.lt(0).logicalNot()).exp().mul(alpha * scale * inputScale));
            return ofResult.mul(scale).where(positiveOrNanMask(x), elsewhere);
        }

        private Tensor exponent(Tensor x, Tensor isLeftOut) {
            return x.maskedFill(isLeftOut, 0).mul(inputScale);
        }

        /** NaN goes with what is positive, as it is and with its gradient. */
        private static Tensor positiveOrNanMask(Tensor x) {
            return x.le(0).logicalNot();
        }
    }

    /** -x · log(x), 0 at 0 and -∞ below; its derivative is -(1 + log(x)), everywhere. */
    public static final class Entropy extends ActivationWithDerivative {
        @Override
        public Tensor value(Tensor x) {
            return x.xlogy(x).neg().maskedFill(x.lt(0), Double.NEGATIVE_INFINITY);
        }

        @Override
        public Tensor slope(Tensor x) {
            return x.log().add(1).neg();
        }
    }

    /** x · Φ(x); its derivative is Φ(x) + x · φ(x), of the standard normal distribution. */
    public static final class Gelu extends ActivationWithDerivative {
        @Override
        public Tensor value(Tensor x) {
            return x.mul(0.5).mul(twiceProbability(scaled(x)));
        }

        @Override
        public Tensor slope(Tensor x) {
            Tensor scaled = scaled(x);
            Tensor density = scaled.mul(scaled).neg().exp().mul(1 / Math.sqrt(2 * Math.PI));
            return twiceProbability(scaled).mul(0.5).add(x.mul(density));
        }

        /** As the error function wants it. */
        private static Tensor scaled(Tensor x) {
            return x.mul(Math.sqrt(0.5));
        }

        private static Tensor twiceProbability(Tensor scaled) {
            return scaled.erf().add(1);
        }
    }

    /** {@link Gelu} with Φ(x) ≈ (1 + tanh(u)) / 2, where u = √(2/π) · (x + 0.044715 x³). */
    public static final class GeluTanh extends ActivationWithDerivative {
        private static final double CUBIC = 0.044715;
        private static final double SCALE = Math.sqrt(2 / Math.PI);

        @Override
        public Tensor value(Tensor x) {
            return x.mul(0.5).mul(bend(x).add(1));
        }

        /** (1 + tanh(u)) / 2 + x / 2 · (1 - tanh²(u)) · u'. */
        @Override
        public Tensor slope(Tensor x) {
            Tensor bend = bend(x);
            Tensor steepness = x.mul(x).mul(3 * CUBIC * SCALE).add(SCALE);
            Tensor change = bend.mul(bend).neg().add(1).mul(steepness);
            return bend.add(1).mul(0.5).add(x.mul(0.5).mul(change));
        }

        private static Tensor bend(Tensor x) {
            Tensor cubic = x.mul(x).mul(x).mul(CUBIC);
            return x.add(cubic).mul(SCALE).tanh();
        }
    }

    /** x + 3 between 0 and 6, divided by 6; its slope is 1/6 strictly between the bends, and 0 elsewhere and at NaN. */
    public static final class HardsigmoidFunction extends ElementwiseFunction {
        @Override
        public Tensor value(Tensor x) {
            return x.add(3).relu6().div(6);
        }

        @Override
        public Tensor gradient(Tensor x, Tensor ofResult) {
            return Gradients.masked(x.abs().lt(3), ofResult.div(6));
        }
    }

    /** x times its hard sigmoid; its slope is 0 up to -3, x / 3 + 1/2 from there to 3, and 1 from 3 on and at NaN. */
    public static final class HardswishFunction extends ElementwiseFunction {
        @Override
        public Tensor value(Tensor x) {
            return x.mul(x.hardsigmoid());
        }

        @Override
        public Tensor gradient(Tensor x, Tensor ofResult) {
            Tensor bent = ofResult.mul(x.div(3).add(0.5));
            return Gradients.maskedOut(x.le(-3), bent.where(x.lt(3), ofResult));
        }
    }

    /** log(x / (1 - x)); its derivative is 1 / (x · (1 - x)), infinity at either zero, and NaN outside [0, 1] as the function is. */
    public static final class Logit extends ActivationWithDerivative {
        @Override
        public Tensor value(Tensor x) {
            return x.div(x.rsub(1)).log();
        }

        @Override
        public Tensor slope(Tensor x) {
            Tensor isInside = x.ge(0).logicalAnd(x.le(1));
            return x.mul(x.rsub(1)).abs().reciprocal().maskedFill(isInside.logicalNot(), Double.NaN);
        }
    }

    /** log(σ(x)), as min(x, 0) - log(1 + exp(-|x|)); its derivative is σ(-x). */
    public static final class LogSigmoidFunction extends ActivationWithDerivative {
        @Override
        public Tensor value(Tensor x) {
            Tensor linear = Dispatch.binary(Binary.MINIMUM, x, Operand.of(0));
            return linear.sub(x.abs().neg().exp().log1p());
        }

        @Override
        public Tensor slope(Tensor x) {
            return x.neg().sigmoid();
        }
    }

    /** x · tanh(softplus(x)); its derivative is t + x · σ(x) · (1 - t²), where t is that tangent. */
    public static final class MishFunction extends ActivationWithDerivative {
        @Override
        public Tensor value(Tensor x) {
            return x.mul(x.softplus().tanh());
        }

        @Override
        public Tensor slope(Tensor x) {
            Tensor tangent = x.softplus().tanh();
            return tangent.add(x.mul(x.sigmoid()).mul(tangent.square().rsub(1)));
        }
    }

    /** 0 where an element is NaN; its slope is 0 there, which makes NaN of what is not finite, and 1 elsewhere. */
    public static final class NanAsZero extends ElementwiseFunction {
        @Override
        public Tensor value(Tensor x) {
            return x.maskedFill(x.isnan(), 0);
        }

        @Override
        public Tensor gradient(Tensor x, Tensor ofResult) {
            return ofResult.mul(x.eq(x));
        }
    }

    /** Numbers in place of NaN and the infinities; its slope is 0 there, which makes NaN of what is not finite, and 1 elsewhere. */
    public static final class NanToNum extends LibraryFunction {
        private final Number nan;
        private final Number posInf;
        private final Number negInf;

        public NanToNum(Number nan, Number posInf, Number negInf) {
            this.nan = nan;
            this.posInf = posInf;
            this.negInf = negInf;
        }

        public Tensor of(Tensor x) {
            return apply(x)[0];
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {Scope.tidy(() -> numbers(inputs[0]))};
        }

        private Tensor numbers(Tensor x) {
            Tensor numbers = replaced(x, x.isnan(), nan);
            Tensor bounded = replaced(numbers, x.eq(Double.POSITIVE_INFINITY), posInf);
            return replaced(bounded, x.eq(Double.NEGATIVE_INFINITY), negInf);
        }

        private static Tensor replaced(Tensor tensor, Tensor mask, Number value) {
            return Dispatch.apply(Ternary.WHERE, mask, Operand.of(value).cast(tensor.dtype()), tensor);
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {
                Scope.tidy(() -> gradients[0].mul(context.saved(0).isfinite()))
            };
        }
    }

    /** x · σ(x); its derivative is σ(x) · (1 + x · (1 - σ(x))). */
    public static final class Silu extends ActivationWithDerivative {
        @Override
        public Tensor value(Tensor x) {
            return x.mul(x.sigmoid());
        }

        @Override
        public Tensor slope(Tensor x) {
            Tensor gate = x.sigmoid();
            return gate.mul(gate.neg().add(1).mul(x).add(1));
        }
    }

    /** sin(πx) / (πx), and 1 at 0; its derivative is (πx · cos(πx) - sin(πx)) / (πx²), and 0 where the dtype has no number πx² but 0. */
    public static final class Sinc extends ElementwiseFunction {
        @Override
        public Tensor value(Tensor x) {
            Tensor isZero = x.eq(0);
            Tensor angle = x.maskedFill(isZero, 1).mul(Math.PI);
            return angle.sin().div(angle).maskedFill(isZero, 1);
        }

        @Override
        public Tensor gradient(Tensor x, Tensor ofResult) {
            Tensor isZero = x.mul(x).mul(Math.PI).eq(0);
            Tensor away = x.maskedFill(isZero, 1);
            Tensor angle = away.mul(Math.PI);
            Tensor slope =
                    angle.mul(angle.cos()).sub(angle.sin()).div(away.mul(away).mul(Math.PI));
            return Gradients.maskedOut(isZero, ofResult.mul(slope));
        }
    }
}
