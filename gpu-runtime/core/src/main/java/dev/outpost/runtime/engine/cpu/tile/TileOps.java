package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.math.SpecialFunctions;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The code of each elementwise op on tiles of float32. */
public final class TileOps {
    /** One of each for all programs: how far the JIT is with it does not depend on who uses it. */
    private static final Map<Unary, TileOp> UNARY = new EnumMap<>(Unary.class);

    private static final Map<Binary, TileOp> BINARY = new EnumMap<>(Binary.class);

    static {
        for (Unary op : Unary.values()) {
            UNARY.put(op, code(op));
        }
        for (Binary op : Binary.values()) {
            BINARY.put(op, code(op));
        }
    }

    /**
     * A function of x and of the exponential of something. Three loops, since one that holds all of it is more than the JIT
     * is willing to inline, and then every vector is an object.
     *
     * @param exponent what the exponential is taken of, which is not above 0
     * @param join the function, of x and the exponential
     */
    public record Curve(TileOp exponent, TileOp join) {}

    /** The exponential of what is not above 0, as that of a curve is. */
    public static final TileOp EXP_OF_NEGATIVE = Vectors.PRESENT
            ? new WarmupTileOp(ScalarTiles::exp, VectorTranscendentals::expOfNegative, VectorStep.EXP_OF_NEGATIVE)
            : ScalarTiles::exp;

    private static final Curve SIGMOID = Vectors.PRESENT
            ? new Curve(
                    new WarmupTileOp(
                            ScalarTiles::sigmoidExponent,
                            VectorTranscendentals::sigmoidExponent,
                            VectorStep.SIGMOID_EXPONENT),
                    new WarmupTileOp(ScalarTiles::joinSigmoid, VectorTranscendentals::joinSigmoid, VectorStep.SIGMOID))
            : new Curve(ScalarTiles::sigmoidExponent, ScalarTiles::joinSigmoid);

    private static final Curve ERF = Vectors.PRESENT
            ? new Curve(
                    new WarmupTileOp(
                            ScalarTiles::erfExponent, VectorTranscendentals::erfExponent, VectorStep.ERF_EXPONENT),
                    new WarmupTileOp(ScalarTiles::joinErf, VectorTranscendentals::joinErf, VectorStep.ERF))
            : new Curve(ScalarTiles::erfExponent, ScalarTiles::joinErf);

    private static final Map<VectorStep, TileOp> BY_STEP = bySteps();

    private TileOps() {}

    /** Nothing where an op is no curve. */
    public static Optional<Curve> curve(Unary op) {
        return Optional.ofNullable(
                switch (op) {
                    case SIGMOID -> SIGMOID;
                    case ERF -> ERF;
                    default -> null;
                });
    }

    /** Nothing where there is no code for it. */
    public static Optional<TileOp> of(Unary op) {
        return Optional.ofNullable(UNARY.get(op));
    }

    /** Nothing where there is no code for it. */
    public static Optional<TileOp> of(Binary op) {
        return Optional.ofNullable(BINARY.get(op));
    }

    /** The operation by itself, which must not be a choice. */
    public static TileOp of(VectorStep step) {
        return BY_STEP.get(step);
    }

    private static Map<VectorStep, TileOp> bySteps() {
        Map<VectorStep, TileOp> ops = new EnumMap<>(VectorStep.class);
        List<TileOp> others =
                List.of(EXP_OF_NEGATIVE, SIGMOID.exponent(), SIGMOID.join(), ERF.exponent(), ERF.join(), BoolTiles.NOT);
        Stream.of(UNARY.values(), BINARY.values(), others)
                .flatMap(Collection::stream)
                .filter(Objects::nonNull)
                .forEach(op -> op.step().ifPresent(step -> ops.put(step, op)));
        return ops;
    }

    private static TileOp code(Unary op) {
        return switch (op) {
            case COPY -> new PlainOp(ScalarTiles::copy, VectorStep.COPY);
            case NEG ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::neg, VectorTiles::neg, VectorStep.NEG)
                        : ScalarTiles::neg;
            case ABS ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::abs, VectorTiles::abs, VectorStep.ABS)
                        : ScalarTiles::abs;
            case SQRT ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::sqrt, VectorTiles::sqrt, VectorStep.SQRT)
                        : ScalarTiles::sqrt;
            case RELU ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::relu, VectorTiles::relu, VectorStep.RELU)
                        : ScalarTiles::relu;
            case TANH ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::tanh, VectorTranscendentals::tanh, VectorStep.TANH)
                        : ScalarTiles::tanh;
            case EXP ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::exp, VectorTranscendentals::exp, VectorStep.EXP)
                        : ScalarTiles::exp;
            case LOG -> ScalarTiles.inDouble(Math::log);
            case LOG1P -> ScalarTiles.inDouble(Math::log1p);
            case EXPM1 -> ScalarTiles.inDouble(Math::expm1);
            case SIN -> ScalarTiles.inDouble(Math::sin);
            case COS -> ScalarTiles.inDouble(Math::cos);
            case RSQRT -> ScalarTiles.inDouble(SpecialFunctions::rsqrt);
            default -> null;
        };
    }

    private static TileOp code(Binary op) {
        return switch (op) {
            case ADD ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::add, VectorTiles::add, VectorStep.ADD)
                        : ScalarTiles::add;
            case SUB ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::sub, VectorTiles::sub, VectorStep.SUB)
                        : ScalarTiles::sub;
            case MUL ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::mul, VectorTiles::mul, VectorStep.MUL)
                        : ScalarTiles::mul;
            case DIV ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::div, VectorTiles::div, VectorStep.DIV)
                        : ScalarTiles::div;
            case POW -> ScalarTiles.inDouble(SpecialFunctions::pow);
            case MAXIMUM ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::maximum, VectorTiles::maximum, VectorStep.MAXIMUM)
                        : ScalarTiles::maximum;
            case MINIMUM ->
                Vectors.PRESENT
                        ? new WarmupTileOp(ScalarTiles::minimum, VectorTiles::minimum, VectorStep.MINIMUM)
                        : ScalarTiles::minimum;
            case EQ ->
                Vectors.PRESENT ? new WarmupTileOp(ScalarTiles::eq, VectorTiles::eq, VectorStep.EQ) : ScalarTiles::eq;
            case NE ->
                Vectors.PRESENT ? new WarmupTileOp(ScalarTiles::ne, VectorTiles::ne, VectorStep.NE) : ScalarTiles::ne;
            case LT ->
                Vectors.PRESENT ? new WarmupTileOp(ScalarTiles::lt, VectorTiles::lt, VectorStep.LT) : ScalarTiles::lt;
            case LE ->
                Vectors.PRESENT ? new WarmupTileOp(ScalarTiles::le, VectorTiles::le, VectorStep.LE) : ScalarTiles::le;
            case GT ->
                Vectors.PRESENT ? new WarmupTileOp(ScalarTiles::gt, VectorTiles::gt, VectorStep.GT) : ScalarTiles::gt;
            case GE ->
                Vectors.PRESENT ? new WarmupTileOp(ScalarTiles::ge, VectorTiles::ge, VectorStep.GE) : ScalarTiles::ge;
            default -> null;
        };
    }
}
