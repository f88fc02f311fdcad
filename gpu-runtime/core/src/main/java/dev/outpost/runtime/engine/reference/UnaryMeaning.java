package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.math.SpecialFunctions;
import dev.outpost.types.DType;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;

/** What each {@link Unary} is, as a function of one number. */
final class UnaryMeaning {
    private UnaryMeaning() {}

    static DoubleUnaryOperator ofDoubles(Unary op) {
        return switch (op) {
            case COPY -> x -> x;
            case NEG -> x -> -x;
            case ABS -> Math::abs;
            // Not Math.signum: of NaN it is 0, and of -0 too.
            case SIGN -> x -> x > 0 ? 1 : x < 0 ? -1 : 0;
            case CEIL -> Math::ceil;
            case FLOOR -> Math::floor;
            case TRUNC -> UnaryMeaning::truncate;
            case ROUND -> Math::rint;
            // Not Math.max: asked this way round, NaN is not below 0 and stays.
            case RELU -> x -> x <= 0 ? 0 : x;
            case SQRT -> Math::sqrt;
            case RSQRT -> SpecialFunctions::rsqrt;
            case EXP -> Math::exp;
            case EXP2 -> SpecialFunctions::exp2;
            case EXPM1 -> Math::expm1;
            case LOG -> Math::log;
            case LOG2 -> SpecialFunctions::log2;
            case LOG10 -> Math::log10;
            case LOG1P -> Math::log1p;
            case SIN -> Math::sin;
            case COS -> Math::cos;
            case TAN -> Math::tan;
            case ASIN -> Math::asin;
            case ACOS -> Math::acos;
            case ATAN -> Math::atan;
            case SINH -> Math::sinh;
            case COSH -> Math::cosh;
            case TANH -> Math::tanh;
            case ASINH -> SpecialFunctions::asinh;
            case ACOSH -> SpecialFunctions::acosh;
            case ATANH -> SpecialFunctions::atanh;
            case SIGMOID -> SpecialFunctions::sigmoid;
            case ERF -> SpecialFunctions::erf;
            case ERFC -> SpecialFunctions::erfc;
            case ERFINV -> SpecialFunctions::erfinv;
            case LGAMMA -> SpecialFunctions::lgamma;
            case DIGAMMA -> SpecialFunctions::digamma;
            case IS_NAN -> x -> Double.isNaN(x) ? 1 : 0;
            case NOT -> throw refused(op, "floating numbers");
        };
    }

    static LongUnaryOperator ofLongs(Unary op, DType dtype) {
        return switch (op) {
            case COPY, CEIL, FLOOR, TRUNC, ROUND -> x -> x;
            case NEG -> x -> -x;
            case ABS -> Math::abs;
            case SIGN -> Long::signum;
            case RELU -> x -> Math.max(x, 0);
            case IS_NAN -> _ -> 0;
            case NOT -> dtype == DType.BOOL ? x -> 1 - x : x -> ~x;
            case SQRT, RSQRT, EXP, EXP2, EXPM1, LOG, LOG2, LOG10, LOG1P -> throw refused(op, "integers");
            case SIN, COS, TAN, ASIN, ACOS, ATAN -> throw refused(op, "integers");
            case SINH, COSH, TANH, ASINH, ACOSH, ATANH, SIGMOID -> throw refused(op, "integers");
            case ERF, ERFC, ERFINV, LGAMMA, DIGAMMA -> throw refused(op, "integers");
        };
    }

    private static double truncate(double x) {
        return x < 0 ? Math.ceil(x) : Math.floor(x);
    }

    /** The op's rule refuses these operands where it is recorded and where it is read; none comes here. */
    static IllegalStateException refused(Op op, String numbers) {
        return new IllegalStateException(op.label() + " has no meaning for " + numbers + ", and its rule refuses them");
    }
}
