package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.function.UnaryOperator;

/** Composed functions of the elements of one, two or three tensors, with the gradients that PyTorch has. */
public final class ElementwiseFunctions {
    // ---- activations: forward saves one slope instead of many factors

    /** x · σ(x); its derivative is σ(x) · (1 + x · (1 - σ(x))). */
    public static final DerivedFunction SILU = DerivedFunction.sloped("Silu", x -> x.mul(x.sigmoid()), x -> {
        Tensor gate = x.sigmoid();
        return gate.mul(gate.neg().add(1).mul(x).add(1));
    });

    /** x · tanh(softplus(x)); its derivative is t + x · σ(x) · (1 - t²), where t is tanh(softplus(x)). */
    public static final DerivedFunction MISH =
            DerivedFunction.sloped("Mish", x -> x.mul(x.softplus().tanh()), x -> {
                Tensor tangent = x.softplus().tanh();
                return tangent.add(x.mul(x.sigmoid()).mul(tangent.square().rsub(1)));
            });

    /** x · Φ(x); its derivative is Φ(x) + x · φ(x), of the standard normal distribution. */
    public static final DerivedFunction GELU =
            DerivedFunction.sloped("Gelu", x -> x.mul(0.5).mul(twiceProbability(scaled(x))), x -> {
                Tensor scaled = scaled(x);
                Tensor density = scaled.mul(scaled).neg().exp().mul(1 / Math.sqrt(2 * Math.PI));
                return twiceProbability(scaled).mul(0.5).add(x.mul(density));
            });

    private static final double CUBIC = 0.044715;
    private static final double SCALE = Math.sqrt(2 / Math.PI);

    /**
     * {@link #GELU} with Φ(x) ≈ (1 + tanh(u)) / 2, where u = √(2/π) · (x + 0.044715 x³); its derivative is
     * (1 + tanh(u)) / 2 + x / 2 · (1 - tanh²(u)) · u'.
     */
    public static final DerivedFunction GELU_TANH =
            DerivedFunction.sloped("GeluTanh", x -> x.mul(0.5).mul(bend(x).add(1)), x -> {
                Tensor bend = bend(x);
                Tensor steepness = x.mul(x).mul(3 * CUBIC * SCALE).add(SCALE);
                Tensor change = bend.mul(bend).neg().add(1).mul(steepness);
                return bend.add(1).mul(0.5).add(x.mul(0.5).mul(change));
            });

    /** log(σ(x)), as min(x, 0) - log(1 + exp(-|x|)); its derivative is σ(-x). */
    public static final DerivedFunction LOG_SIGMOID = DerivedFunction.sloped(
            "LogSigmoid",
            x -> Dispatch.binary(Binary.MINIMUM, x, Operand.of(0))
                    .sub(x.abs().neg().exp().log1p()),
            x -> x.neg().sigmoid());

    /** x + 3 clamped to [0, 6], divided by 6; its slope is 1/6 strictly between -3 and 3, and 0 elsewhere and at NaN. */
    public static final DerivedFunction HARDSIGMOID = DerivedFunction.elementwise(
            "Hardsigmoid",
            x -> x.add(3).relu6().div(6),
            (x, ofResult) -> Gradients.masked(x.abs().lt(3), ofResult.div(6)));

    /** x times its hard sigmoid; its slope is 0 up to -3, x / 3 + 1/2 from there to 3, and 1 from 3 on and at NaN. */
    public static final DerivedFunction HARDSWISH =
            DerivedFunction.elementwise("Hardswish", x -> x.mul(x.hardsigmoid()), (x, ofResult) -> {
                Tensor bent = ofResult.mul(x.div(3).add(0.5));
                return Gradients.maskedOut(x.le(-3), bent.where(x.lt(3), ofResult));
            });

    private static final double SMALLEST_LOG = -100;
    private static final double SMALLEST_SLOPE = 1e-12;

    // ---- functions of one tensor

    /** -x · log(x), 0 at 0 and -∞ for negative x; its derivative is -(1 + log(x)) everywhere. */
    public static final DerivedFunction ENTROPY = DerivedFunction.sloped(
            "Entropy",
            x -> x.xlogy(x).neg().maskedFill(x.lt(0), Double.NEGATIVE_INFINITY),
            x -> x.log().add(1).neg());

    /**
     * log(x / (1 - x)); its derivative is 1 / (x · (1 - x)), infinity at either zero, and NaN outside [0, 1], like
     * the function itself.
     */
    public static final DerivedFunction LOGIT =
            DerivedFunction.sloped("Logit", x -> x.div(x.rsub(1)).log(), x -> {
                Tensor isInside = x.ge(0).logicalAnd(x.le(1));
                return x.mul(x.rsub(1)).abs().reciprocal().maskedFill(isInside.logicalNot(), Double.NaN);
            });

    /** sin(πx) / (πx), and 1 at 0; its derivative is (πx · cos(πx) - sin(πx)) / (πx²), and 0 where πx² underflows to 0. */
    public static final DerivedFunction SINC = DerivedFunction.elementwise(
            "Sinc",
            x -> {
                Tensor isZero = x.eq(0);
                Tensor angle = x.maskedFill(isZero, 1).mul(Math.PI);
                return angle.sin().div(angle).maskedFill(isZero, 1);
            },
            (x, ofResult) -> {
                Tensor isZero = x.mul(x).mul(Math.PI).eq(0);
                Tensor away = x.maskedFill(isZero, 1);
                Tensor angle = away.mul(Math.PI);
                Tensor slope = angle.mul(angle.cos())
                        .sub(angle.sin())
                        .div(away.mul(away).mul(Math.PI));
                return Gradients.maskedOut(isZero, ofResult.mul(slope));
            });

    /**
     * Replaces NaN by 0. Its slope is 0 at NaN and 1 elsewhere; the gradient is multiplied by the slope, so a gradient that is not
     * finite becomes NaN where the slope is 0.
     */
    public static final DerivedFunction NAN_AS_ZERO = DerivedFunction.elementwise(
            "NanAsZero", x -> x.maskedFill(x.isnan(), 0), (x, ofResult) -> ofResult.mul(x.eq(x)));

    // ---- functions of several tensors

    /**
     * -(t · log(x) + (1 - t) · log(1 - x)) with logarithms of at least -100. As in PyTorch, the gradient of x is (x - t) / max(x · (1 -
     * x), 1e-12), so it is finite and points to the target where x is 0 or 1. The gradient of t uses the logarithms without the bound.
     */
    public static final DerivedFunction BINARY_CROSS_ENTROPY = DerivedFunction.of(
            "BinaryCrossEntropy",
            in -> in[1].sub(1)
                    .mul(in[0].neg().log1p().clampMin(SMALLEST_LOG))
                    .sub(in[1].mul(in[0].log().clampMin(SMALLEST_LOG))),
            (in, g) -> g.mul(in[0].sub(in[1])).div(in[0].rsub(1).mul(in[0]).clampMin(SMALLEST_SLOPE)),
            (in, g) -> g.mul(in[0].neg().log1p().sub(in[0].log())));

    /** Like {@link #lerp}, but with a weight for each element. */
    public static final DerivedFunction WEIGHTED_LERP = DerivedFunction.broadcast(
            "WeightedLerp",
            in -> {
                Tensor way = in[1].sub(in[0]);
                Tensor fromStart = in[0].add(way.mul(in[2]));
                Tensor fromEnd = in[1].sub(way.mul(in[2].rsub(1)));
                return fromStart.where(in[2].abs().lt(0.5), fromEnd);
            },
            (in, g) -> g.mul(in[2].rsub(1)),
            (in, g) -> g.mul(in[2]),
            (in, g) -> g.mul(in[1].sub(in[0])));

    private static final DerivedFunction CHOSEN_ELEMENT = DerivedFunction.of(
            "ChosenElement",
            in -> in[1],
            (in, g) -> {
                Tensor areNan = in[0].isnan().logicalAnd(in[1].isnan());
                Tensor areEqual = in[0].eq(in[1]).logicalOr(areNan);
                Tensor share = g.div(areEqual.sum());
                return share.expand(in[0].shape()).maskedFill(areEqual.logicalNot(), 0);
            },
            null);

    private static final DerivedFunction LOGADDEXP = logOfSum(Tensor::exp, 1);
    private static final DerivedFunction LOGADDEXP2 = logOfSum(Tensor::exp2, Math.log(2));
    private static final DerivedFunction XLOGY = timesLog(0);
    private static final DerivedFunction XLOG1PY = timesLog(1);

    private ElementwiseFunctions() {}

    /** Converts the argument of the normal distribution function to an argument of the error function. */
    private static Tensor scaled(Tensor x) {
        return x.mul(Math.sqrt(0.5));
    }

    private static Tensor twiceProbability(Tensor scaled) {
        return scaled.erf().add(1);
    }

    private static Tensor bend(Tensor x) {
        Tensor cubic = x.mul(x).mul(x).mul(CUBIC);
        return x.add(cubic).mul(SCALE).tanh();
    }

    /**
     * Returns scale · x where x is positive, scale · alpha · (exp(x · inputScale) - 1) elsewhere; ELU, CELU and SELU
     * have this form. The slope is computed from the exponential itself, because exp(x) - 1 loses all digits of a
     * small exp(x).
     */
    public static DerivedFunction elu(double alpha, double scale, double inputScale) {
        return DerivedFunction.elementwise(
                "Elu",
                x -> x.mul(scale)
                        .where(
                                positiveOrNanMask(x),
                                exponent(x, positiveOrNanMask(x), inputScale)
                                        .expm1()
                                        .mul(alpha)
                                        .mul(scale)),
                (x, ofResult) -> {
                    // At 0 the first derivative is the derivative of the exponential, and the second derivative is 0,
                    // as in PyTorch.
                    Tensor exponent = exponent(x, x.lt(0).logicalNot(), inputScale);
                    Tensor elsewhere = ofResult.mul(exponent.exp().mul(alpha * scale * inputScale));
                    return ofResult.mul(scale).where(positiveOrNanMask(x), elsewhere);
                });
    }

    private static Tensor exponent(Tensor x, Tensor isLeftOut, double inputScale) {
        return x.maskedFill(isLeftOut, 0).mul(inputScale);
    }

    /** True for positive numbers and NaN. NaN is passed on unchanged, and so is its gradient. */
    private static Tensor positiveOrNanMask(Tensor x) {
        return x.le(0).logicalNot();
    }

    /**
     * Replaces NaN and the infinities by numbers. Its slope is 0 at these and 1 elsewhere; the gradient is multiplied by the slope, so
     * a gradient that is not finite becomes NaN where the slope is 0.
     */
    public static DerivedFunction nanToNum(Number nan, Number posInf, Number negInf) {
        return DerivedFunction.of(
                "NanToNum",
                in -> {
                    Tensor numbers = replaced(in[0], in[0].isnan(), nan);
                    Tensor bounded = replaced(numbers, in[0].eq(Double.POSITIVE_INFINITY), posInf);
                    return replaced(bounded, in[0].eq(Double.NEGATIVE_INFINITY), negInf);
                },
                (in, g) -> g.mul(in[0].isfinite()));
    }

    private static Tensor replaced(Tensor tensor, Tensor mask, Number value) {
        return Dispatch.apply(Ternary.WHERE, mask, Operand.of(value).cast(tensor.dtype()), tensor);
    }

    /**
     * Returns a number chosen from all elements of a tensor. The elements that equal it share its gradient; if it is
     * NaN, the NaN elements share it.
     *
     * @param chosen the chosen number, not recorded by autograd
     */
    public static Tensor chosenElement(Tensor elements, Tensor chosen) {
        return Numerics.isRecorded(elements) ? CHOSEN_ELEMENT.of(elements, chosen) : chosen;
    }

    /**
     * Returns start + share · (end - start) with one share for all elements, computed from the nearer end. The
     * gradients are the gradients of (1 - share) · start + share · end.
     */
    public static DerivedFunction lerp(double share) {
        return DerivedFunction.broadcast(
                "Lerp",
                in -> {
                    Tensor way = in[1].sub(in[0]);
                    return Math.abs(share) < 0.5 ? in[0].add(way.mul(share)) : in[1].sub(way.mul(1 - share));
                },
                (in, g) -> g.mul(1 - share),
                (in, g) -> g.mul(share));
    }

    /**
     * Returns a × b of vectors along a dimension. The gradients are b × g and g × a, so they cancel exactly for a ×
     * a.
     */
    public static DerivedFunction crossProduct(int dim) {
        return DerivedFunction.broadcast(
                "CrossProduct",
                in -> in[0].roll(-1, dim)
                        .mul(in[1].roll(-2, dim))
                        .sub(in[0].roll(-2, dim).mul(in[1].roll(-1, dim))),
                (in, g) -> crossProduct(dim).of(in[1], g),
                (in, g) -> crossProduct(dim).of(g, in[0]));
    }

    // ---- logarithms

    /** Returns log(exp(x) + exp(y)). */
    public static Tensor logaddexp(Tensor x, Tensor y) {
        return inFloating(LOGADDEXP, x, y);
    }

    /** Returns log2(2^x + 2^y). */
    public static Tensor logaddexp2(Tensor x, Tensor y) {
        return inFloating(LOGADDEXP2, x, y);
    }

    /**
     * Returns the logarithm of a sum of two powers, without overflow; 16-bit floats are computed in float32. The
     * gradient of each operand is its power's share of the sum.
     */
    private static DerivedFunction logOfSum(UnaryOperator<Tensor> power, double logOfBase) {
        return DerivedFunction.broadcast(
                "LogOfSum",
                in -> {
                    Tensor x = Numerics.wide(in[0]);
                    Tensor y = Numerics.wide(in[1]);
                    // The difference is 0 where both are the same infinity.
                    Tensor distance = x.sub(y).maskedFill(x.eq(y), 0).abs();
                    Tensor rest = power.apply(distance.neg()).log1p();
                    return x.maximum(y)
                            .add(logOfBase == 1 ? rest : rest.div(logOfBase))
                            .to(in[0].dtype());
                },
                (in, g) -> g.div(power.apply(in[1].sub(in[0])).add(1)),
                (in, g) -> g.div(power.apply(in[0].sub(in[1])).add(1)));
    }

    /** Returns x · log(y). */
    public static Tensor xlogy(Tensor x, Tensor y) {
        return inFloating(XLOGY, x, y);
    }

    /** Same as {@link #xlogy(Tensor, Tensor)}. */
    public static Tensor xlogy(Tensor x, Number y) {
        Operand.Immediate number = Operand.of(y);
        DType dtype = OpRecording.floatingType(x, number);
        Scalar scalar = number.scalar().to(dtype);
        return Scope.tidy(() -> XLOGY.of(x.to(dtype), Creation.full(States.home(x), Shape.SCALAR, scalar)));
    }

    /** Returns x · log(1 + y). */
    public static Tensor xlog1py(Tensor x, Tensor y) {
        return inFloating(XLOG1PY, x, y);
    }

    private static Tensor inFloating(DerivedFunction function, Tensor x, Tensor y) {
        DType dtype = OpRecording.floatingType(x, y);
        return Scope.tidy(() -> function.of(x.to(dtype), y.to(dtype)));
    }

    /**
     * Returns x · log(shift + y), and 0 where x is 0 unless y is NaN. The gradients are PyTorch's, which differ from
     * the chain rule where x is 0: the gradient of x is the logarithm there, too, except where y is outside the
     * logarithm's domain.
     */
    private static DerivedFunction timesLog(int shift) {
        return DerivedFunction.broadcast(
                "TimesLog",
                in -> {
                    Tensor isZero = in[0].eq(0).logicalAnd(in[1].eq(in[1]));
                    return in[0].mul(shift == 0 ? in[1].log() : in[1].log1p()).maskedFill(isZero, 0);
                },
                (in, g) -> {
                    Tensor isBeyond = in[0].eq(0).logicalAnd(in[1].le(-shift));
                    return (shift == 0 ? XLOGY : XLOG1PY).of(g, in[1]).maskedFill(isBeyond, 0);
                },
                (in, g) -> g.mul(in[0]).div(shift == 0 ? in[1] : in[1].add(shift)));
    }
}
