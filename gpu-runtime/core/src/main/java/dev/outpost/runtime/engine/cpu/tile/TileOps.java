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
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The operations on tiles of float32 for each elementwise op. */
public final class TileOps {
    /** All programs share one instance of each operation, so that the JIT compiles its code once for all of them. */
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
     * A function of x and of the exponential of an intermediate value. It is computed in three loops, because the JIT
     * would not inline all methods of a single one, and then every vector would be an object.
     *
     * @param exponent computes the argument of the exponential, which is not above 0
     * @param join computes the function from x and the exponential
     */
    public record Curve(TileOp exponent, TileOp join) {}

    /** The exponential of numbers that are not above 0, such as the exponent of a curve. */
    public static final TileOp EXP_OF_NEGATIVE =
            vector(ScalarTiles::expOfNegative, () -> VectorTranscendentals::expOfNegative, VectorStep.EXP_OF_NEGATIVE);

    private static final Curve SIGMOID = new Curve(
            vector(
                    ScalarTiles::sigmoidExponent,
                    () -> VectorTranscendentals::sigmoidExponent,
                    VectorStep.SIGMOID_EXPONENT),
            vector(ScalarTiles::sigmoid, () -> VectorTranscendentals::sigmoid, VectorStep.SIGMOID));

    private static final Curve ERF = new Curve(
            vector(ScalarTiles::erfExponent, () -> VectorTranscendentals::erfExponent, VectorStep.ERF_EXPONENT),
            vector(ScalarTiles::erf, () -> VectorTranscendentals::erf, VectorStep.ERF));

    private static final Map<VectorStep, TileOp> BY_STEP = bySteps();

    private TileOps() {}

    /** Returns the curve of the op; empty if it has none. */
    public static Optional<Curve> curve(Unary op) {
        return Optional.ofNullable(
                switch (op) {
                    case SIGMOID -> SIGMOID;
                    case ERF -> ERF;
                    default -> null;
                });
    }

    /** Returns the operation of an op; empty if it has no code on tiles. */
    public static Optional<TileOp> of(Unary op) {
        return Optional.ofNullable(UNARY.get(op));
    }

    /** Returns the operation of an op; empty if it has no code on tiles. */
    public static Optional<TileOp> of(Binary op) {
        return Optional.ofNullable(BINARY.get(op));
    }

    /** Returns the operation of a step, which must not be a choice. */
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

    /** @param vectors supplies the code with vectors. It is not called if the JDK has no Vector API, since its class does not load there */
    private static TileOp vector(TileOp plain, Supplier<TileOp> vectors, VectorStep step) {
        return Vectors.PRESENT ? new WarmupTileOp(plain, vectors.get(), step) : plain;
    }

    private static TileOp code(Unary op) {
        return switch (op) {
            case COPY -> new PlainOp(TileOps::copy, VectorStep.COPY);
            case NEG -> vector(ScalarTiles::neg, () -> VectorTiles::neg, VectorStep.NEG);
            case ABS -> vector(ScalarTiles::abs, () -> VectorTiles::abs, VectorStep.ABS);
            case SQRT -> vector(ScalarTiles::sqrt, () -> VectorTiles::sqrt, VectorStep.SQRT);
            case RELU -> vector(ScalarTiles::relu, () -> VectorTiles::relu, VectorStep.RELU);
            case TANH -> vector(ScalarTiles::tanh, () -> VectorTranscendentals::tanh, VectorStep.TANH);
            case EXP -> vector(ScalarTiles::exp, () -> VectorTranscendentals::exp, VectorStep.EXP);
            case LOG -> inDouble(Math::log);
            case LOG1P -> inDouble(Math::log1p);
            case EXPM1 -> inDouble(Math::expm1);
            case SIN -> inDouble(Math::sin);
            case COS -> inDouble(Math::cos);
            case RSQRT -> inDouble(SpecialFunctions::rsqrt);
            default -> null;
        };
    }

    private static TileOp code(Binary op) {
        return switch (op) {
            case ADD -> vector(ScalarTiles::add, () -> VectorTiles::add, VectorStep.ADD);
            case SUB -> vector(ScalarTiles::sub, () -> VectorTiles::sub, VectorStep.SUB);
            case MUL -> vector(ScalarTiles::mul, () -> VectorTiles::mul, VectorStep.MUL);
            case DIV -> vector(ScalarTiles::div, () -> VectorTiles::div, VectorStep.DIV);
            case POW -> inDouble(SpecialFunctions::pow);
            case MAXIMUM -> vector(ScalarTiles::maximum, () -> VectorTiles::maximum, VectorStep.MAXIMUM);
            case MINIMUM -> vector(ScalarTiles::minimum, () -> VectorTiles::minimum, VectorStep.MINIMUM);
            case EQ -> vector(ScalarTiles::eq, () -> VectorTiles::eq, VectorStep.EQ);
            case NE -> vector(ScalarTiles::ne, () -> VectorTiles::ne, VectorStep.NE);
            case LT -> vector(ScalarTiles::lt, () -> VectorTiles::lt, VectorStep.LT);
            case LE -> vector(ScalarTiles::le, () -> VectorTiles::le, VectorStep.LE);
            case GT -> vector(ScalarTiles::gt, () -> VectorTiles::gt, VectorStep.GT);
            case GE -> vector(ScalarTiles::ge, () -> VectorTiles::ge, VectorStep.GE);
            default -> null;
        };
    }

    /** Computes a function that exists only for doubles, and rounds its result once. */
    private static TileOp inDouble(DoubleUnaryOperator function) {
        return (a, atA, ignored, atIgnored, r, at, count) -> {
            for (int i = 0; i < count; i++) {
                r[at + i] = (float) function.applyAsDouble(a[atA + i]);
            }
        };
    }

    /** Works like {@link #inDouble(DoubleUnaryOperator)}, for a function of two numbers. */
    private static TileOp inDouble(DoubleBinaryOperator function) {
        return (a, atA, b, atB, r, at, count) -> {
            for (int i = 0; i < count; i++) {
                r[at + i] = (float) function.applyAsDouble(a[atA + i], b[atB + i]);
            }
        };
    }

    public static void copy(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        System.arraycopy(a, atA, r, at, count);
    }

    /** Copies elements with any stride to a tile. */
    public static void read(float[] a, int atA, int stride, float[] r, int count) {
        for (int i = 0; i < count; i++) {
            r[i] = a[atA + i * stride];
        }
    }
}
