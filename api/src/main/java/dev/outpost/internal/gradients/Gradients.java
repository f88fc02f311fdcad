package dev.outpost.internal.gradients;

import static dev.outpost.internal.gradients.Gradient.NONE;
import static dev.outpost.internal.gradients.Gradient.Saves.BUT_FIRST_INPUT;
import static dev.outpost.internal.gradients.Gradient.Saves.DIVISOR;
import static dev.outpost.internal.gradients.Gradient.Saves.FOR_SECOND;
import static dev.outpost.internal.gradients.Gradient.Saves.INPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.INPUTS_AND_OUTPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.NOTHING;
import static dev.outpost.internal.gradients.Gradient.Saves.OTHER_INPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.OUTPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.SELECTORS;
import static dev.outpost.internal.gradients.Gradient.binary;
import static dev.outpost.internal.gradients.Gradient.ofFirst;
import static dev.outpost.internal.gradients.Gradient.ofOutput;
import static dev.outpost.internal.gradients.Gradient.ofOutputs;
import static dev.outpost.internal.gradients.Gradient.unary;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.graph.GradientRule;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Factorization;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import org.jspecify.annotations.Nullable;

/**
 * The table of gradient rules of all ops. At points where an op is not smooth, the rules follow PyTorch
 * (tools/autograd/derivatives.yaml and FunctionsManual.cpp). Rules consist of tensor ops, so gradients can be differentiated again.
 */
public final class Gradients {
    private static final double LN_2 = Math.log(2);
    private static final double LN_10 = Math.log(10);
    private static final double TWO_OVER_SQRT_PI = 2 / Math.sqrt(Math.PI);

    private Gradients() {}

    /** Returns the gradient rule of an op, or null if no gradient flows through it. */
    public static @Nullable GradientRule rule(Op op) {
        Gradient gradient = of(op);
        return gradient == NONE ? null : gradient;
    }

    public static Gradient of(Op op) {
        return switch (op) {
            case Unary unary -> ofUnary(unary);
            case Binary binary -> ofBinary(binary);
            case Ternary ternary -> ofTernary(ternary);
            case Cast cast -> unary(NOTHING, (node, g) -> g.to(node.inputType(0).dtype()));
            case Reduce reduce -> FoldGradients.of(reduce);
            case Cumulative cumulative -> FoldGradients.of(cumulative);
            case StridedWrite write -> ofOutput(NOTHING, (node, g) -> IndexGradients.stridedWrite(write, node, g));
            case Matmul matmul ->
                binary(OTHER_INPUTS, (node, g) -> (Tensor) MatrixGradients.left(node, g), (node, g) ->
                        (Tensor) MatrixGradients.right(node, g));
            case Convolution convolution ->
                binary(OTHER_INPUTS, (node, g) -> (Tensor) WindowGradients.first(convolution, node, g), (node, g) ->
                        (Tensor) WindowGradients.second(convolution, node, g));
            case MaxPool pool -> unary(SELECTORS, (node, g) -> (Tensor) WindowGradients.maxPool(node, g));
            case Attention attention ->
                ofOutputs(INPUTS_AND_OUTPUTS, (node, g) -> AttentionGradients.attention(attention, node, g));
            case AttentionGradient gradient ->
                ofOutputs(INPUTS, (node, g) -> AttentionGradients.gradient(gradient, node, g));
            case Gather gather -> ofFirst(SELECTORS, (node, g) -> IndexGradients.gather(gather, node, g));
            case IndexSelect select -> ofFirst(SELECTORS, (node, g) -> IndexGradients.select(select, node, g));
            case Scatter scatter -> IndexGradients.of(scatter);
            case IndexWrite write -> IndexGradients.of(write);
            case Sort sort -> unary(SELECTORS, (node, g) -> IndexGradients.sort(sort, node, g));
            case Concat concat -> ofOutput(NOTHING, (node, g) -> IndexGradients.concat(concat, node, g));
            case Factorization factorization -> FactorGradients.of(factorization);
            case PagedAttention none -> NONE;
            case QuantizedMatmul product ->
                ofFirst(BUT_FIRST_INPUT, (node, g) -> (Tensor) QuantizedGradients.product(product, node, g));
            case QuantizedMatmulInput product ->
                ofFirst(BUT_FIRST_INPUT, (node, g) -> (Tensor) QuantizedGradients.input(product, node, g));
            case ArgReduce none -> NONE;
            case PlacementOp none -> NONE;
            case Fill none -> NONE;
            case Arange none -> NONE;
            case Random none -> NONE;
            case IndexCheck none -> NONE;
            case Nonzero none -> NONE;
        };
    }

    private static Gradient ofUnary(Unary op) {
        return switch (op) {
            case COPY -> unary(NOTHING, (node, g) -> g);
            case NEG -> unary(NOTHING, (node, g) -> g.neg());
            case ABS -> unary(INPUTS, (node, g) -> g.mul(x(node).sign()));
            case SIGN, CEIL, FLOOR, TRUNC, ROUND -> unary(NOTHING, (node, g) -> zerosLike(g));
            case RELU -> unary(OUTPUTS, (node, g) -> maskedOut(out(node).le(0), g));
            case SQRT -> unary(OUTPUTS, (node, g) -> g.div(out(node).mul(2)));
            case RSQRT -> unary(OUTPUTS, (node, g) -> timesCube(g.mul(-0.5), out(node)));
            case EXP -> unary(OUTPUTS, (node, g) -> g.mul(out(node)));
            case EXP2 -> unary(OUTPUTS, (node, g) -> g.mul(out(node)).mul(LN_2));
            case EXPM1 -> unary(OUTPUTS, (node, g) -> g.mul(out(node).add(1)));
            case LOG -> unary(INPUTS, (node, g) -> g.div(x(node)));
            case LOG2 -> unary(INPUTS, (node, g) -> g.div(x(node).mul(LN_2)));
            case LOG10 -> unary(INPUTS, (node, g) -> g.div(x(node).mul(LN_10)));
            case LOG1P -> unary(INPUTS, (node, g) -> g.div(x(node).add(1)));
            case SIN -> unary(INPUTS, (node, g) -> g.mul(x(node).cos()));
            case COS -> unary(INPUTS, (node, g) -> g.mul(x(node).sin().neg()));
            case TAN -> unary(OUTPUTS, (node, g) -> g.mul(square(out(node)).add(1)));
            case ASIN ->
                unary(INPUTS, (node, g) -> g.mul(oneMinus(square(x(node))).rsqrt()));
            case ACOS ->
                unary(
                        INPUTS,
                        (node, g) -> g.mul(oneMinus(square(x(node))).rsqrt().neg()));
            case ATAN -> unary(INPUTS, (node, g) -> g.div(square(x(node)).add(1)));
            case SINH -> unary(INPUTS, (node, g) -> g.mul(x(node).cosh()));
            case COSH -> unary(INPUTS, (node, g) -> g.mul(x(node).sinh()));
            case TANH -> unary(OUTPUTS, (node, g) -> g.mul(oneMinus(square(out(node)))));
            case ASINH ->
                unary(INPUTS, (node, g) -> g.mul(square(x(node)).add(1).rsqrt()));
            case ACOSH ->
                unary(INPUTS, (node, g) -> g.mul(square(x(node)).sub(1).rsqrt()));
            case ATANH -> unary(INPUTS, (node, g) -> g.div(oneMinus(square(x(node)))));
            case SIGMOID ->
                unary(OUTPUTS, (node, g) -> g.mul(oneMinus(out(node))).mul(out(node)));
            case ERF -> unary(INPUTS, (node, g) -> g.mul(bell(x(node))));
            case ERFC -> unary(INPUTS, (node, g) -> g.mul(bell(x(node)).neg()));
            case ERFCX ->
                unary(
                        INPUTS_AND_OUTPUTS,
                        (node, g) -> g.mul(x(node).mul(out(node)).mul(2).sub(2 / Math.sqrt(Math.PI))));
            case ERFINV ->
                unary(OUTPUTS, (node, g) -> g.mul(square(out(node)).exp()).mul(Math.sqrt(Math.PI) / 2));
            case LGAMMA -> unary(INPUTS, (node, g) -> g.mul(x(node).digamma()));
            case DIGAMMA -> unary(INPUTS, (node, g) -> g.mul(x(node).polygamma(1)));
            case I0 -> unary(INPUTS, (node, g) -> g.mul(x(node).i1()));
            case I0E -> unary(INPUTS_AND_OUTPUTS, BesselGradients::i0e);
            case I1 -> unary(INPUTS_AND_OUTPUTS, BesselGradients::i1);
            case I1E -> unary(INPUTS_AND_OUTPUTS, BesselGradients::i1e);
            case NDTRI ->
                unary(
                        OUTPUTS,
                        (node, g) -> g.mul(square(out(node)).div(2).exp()).mul(Math.sqrt(2 * Math.PI)));
            case BESSEL_J0 ->
                unary(INPUTS, (node, g) -> g.mul(x(node).besselJ1().neg()));
            case BESSEL_J1 -> unary(INPUTS_AND_OUTPUTS, BesselGradients::j1);
            case BESSEL_Y0 ->
                unary(INPUTS, (node, g) -> g.mul(x(node).besselY1().neg()));
            case BESSEL_Y1 -> unary(INPUTS_AND_OUTPUTS, BesselGradients::y1);
            case BESSEL_K0 ->
                unary(INPUTS, (node, g) -> g.mul(x(node).modifiedBesselK1().neg()));
            case BESSEL_K1 -> unary(INPUTS_AND_OUTPUTS, BesselGradients::k1);
            case SCALED_K0 ->
                unary(INPUTS_AND_OUTPUTS, (node, g) -> g.mul(out(node).sub(x(node).scaledModifiedBesselK1())));
            case SCALED_K1 -> unary(INPUTS_AND_OUTPUTS, BesselGradients::scaledK1);
            case AIRY_AI -> unary(INPUTS, (node, g) -> g.mul(Dispatch.unary(Unary.AIRY_AI_SLOPE, x(node))));
            case AIRY_AI_SLOPE -> unary(INPUTS, (node, g) -> g.mul(x(node)).mul(x(node).airyAi()));
            case IS_NAN, NOT -> NONE;
        };
    }

    private static Gradient ofBinary(Binary op) {
        return switch (op) {
            case ADD -> binary(NOTHING, (node, g) -> g, (node, g) -> g);
            case SUB -> binary(NOTHING, (node, g) -> g, (node, g) -> g.neg());
            case MUL ->
                binary(OTHER_INPUTS, (node, g) -> times(g, node.input(1)), (node, g) -> times(g, node.input(0)));
            case DIV -> binary(DIVISOR, (node, g) -> over(g, node.input(1)), PointwiseGradients::divisor);
            case TRUNC_DIV, FLOOR_DIV -> binary(NOTHING, (node, g) -> zerosLike(g), (node, g) -> zerosLike(g));
            case REMAINDER -> binary(FOR_SECOND, (node, g) -> g, PointwiseGradients::remainderDivisor);
            case FMOD -> binary(FOR_SECOND, (node, g) -> g, PointwiseGradients::fmodDivisor);
            case POW -> binary(INPUTS, PointwiseGradients::powerBase, PointwiseGradients::powerExponent);
            case ATAN2 -> binary(INPUTS, PointwiseGradients::atan2Left, PointwiseGradients::atan2Right);
            case MAXIMUM ->
                binary(INPUTS, PointwiseGradients.chosen(0, Binary.GT), PointwiseGradients.chosen(1, Binary.GT));
            case MINIMUM ->
                binary(INPUTS, PointwiseGradients.chosen(0, Binary.LT), PointwiseGradients.chosen(1, Binary.LT));
            case COPYSIGN -> binary(INPUTS, PointwiseGradients::copysign, (node, g) -> zerosLike(g));
            case HYPOT -> binary(INPUTS_AND_OUTPUTS, PointwiseGradients.hypot(0), PointwiseGradients.hypot(1));
            case POLYGAMMA -> binary(INPUTS, (node, g) -> zerosLike(g), PointwiseGradients::polygamma);
            case ZETA -> binary(INPUTS, BesselGradients.refused("zeta"), BesselGradients::zeta);
            case IGAMMA -> binary(INPUTS, BesselGradients.refused("igamma"), BesselGradients::igamma);
            case IGAMMAC ->
                binary(
                        INPUTS,
                        BesselGradients.refused("igammac"),
                        (node, g) -> BesselGradients.igamma(node, g).neg());
            case CHEBYSHEV_T, CHEBYSHEV_U, CHEBYSHEV_V, CHEBYSHEV_W, HERMITE_H, HERMITE_HE, LAGUERRE_L, LEGENDRE_P ->
                binary(NOTHING, BesselGradients.refused(op.label()), (node, g) -> zerosLike(g));
            case NEXTAFTER, GCD -> NONE;
            case EQ, NE, LT, LE, GT, GE -> NONE;
            case AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT -> NONE;
        };
    }

    private static Gradient ofTernary(Ternary op) {
        return switch (op) {
            case WHERE -> ofOutput(SELECTORS, PointwiseGradients::where);
        };
    }

    private static Tensor x(OpNode node) {
        return (Tensor) node.input(0);
    }

    private static Tensor out(OpNode node) {
        return Gradient.output(node, 0);
    }

    /**
     * Computes g · x³ factor by factor: a power takes longer than three products, and a separate square of x would
     * have to be stored from forward to backward.
     */
    private static Tensor timesCube(Tensor g, Tensor x) {
        return g.mul(x).mul(x).mul(x);
    }

    /** Returns the derivative of the error function. */
    private static Tensor bell(Tensor x) {
        return square(x).neg().exp().mul(TWO_OVER_SQRT_PI);
    }

    public static Tensor square(Tensor x) {
        return x.mul(x);
    }

    public static Tensor oneMinus(Tensor x) {
        return Dispatch.binary(Binary.SUB, Operand.of(1), x);
    }

    public static Tensor times(Tensor x, Operand factor) {
        return Dispatch.binary(Binary.MUL, x, factor);
    }

    public static Tensor over(Tensor x, Operand divisor) {
        return Dispatch.binary(Binary.DIV, x, divisor);
    }

    /** Returns the elements where the condition holds, and 0 elsewhere. */
    public static Tensor masked(Tensor condition, Tensor x) {
        return Dispatch.where(condition, x, zero(x));
    }

    /** Returns 0 where the condition holds, and the elements elsewhere. */
    public static Tensor maskedOut(Tensor condition, Tensor x) {
        return Dispatch.where(condition, zero(x), x);
    }

    public static Tensor zerosLike(Tensor x) {
        return Creation.full(States.home(x), x.shape(), x.dtype(), 0);
    }

    private static Operand zero(Tensor x) {
        return Operand.of(x.dtype(), 0L);
    }
}
