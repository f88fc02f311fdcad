package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.math.LabelledFunctions;
import dev.outpost.types.DType;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * Defines each {@link Unary} as a function of one number. The functions that exist only for floating numbers are
 * {@link LabelledFunctions}.
 */
final class UnaryMeaning {
    private UnaryMeaning() {}

    static DoubleUnaryOperator ofDoubles(Unary op) {
        return op.isFloatingOnly() ? LabelledFunctions.of(op) : ofAnyNumbers(op);
    }

    private static DoubleUnaryOperator ofAnyNumbers(Unary op) {
        return switch (op) {
            case COPY -> x -> x;
            case NEG -> x -> -x;
            case ABS -> Math::abs;
            // Math.signum would return NaN for NaN and -0 for -0. Here both are 0.
            case SIGN -> x -> x > 0 ? 1 : x < 0 ? -1 : 0;
            case CEIL -> Math::ceil;
            case FLOOR -> Math::floor;
            case TRUNC -> UnaryMeaning::truncate;
            case ROUND -> Math::rint;
            // Math.max is not used: a NaN is not below 0, so this comparison keeps it.
            case RELU -> x -> x <= 0 ? 0 : x;
            case IS_NAN -> x -> Double.isNaN(x) ? 1 : 0;
            default -> throw refused(op, "floating numbers");
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
            default -> throw refused(op, "integers");
        };
    }

    private static double truncate(double x) {
        return x < 0 ? Math.ceil(x) : Math.floor(x);
    }

    /**
     * Returns the exception for operands that cannot occur, because the op's rule refuses them when the op is
     * recorded and when it is read.
     */
    static IllegalStateException refused(Op op, String numbers) {
        return new IllegalStateException(op.label() + " has no meaning for " + numbers + ", and its rule refuses them");
    }
}
