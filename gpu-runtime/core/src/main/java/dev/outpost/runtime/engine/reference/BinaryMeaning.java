package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Binary;
import dev.outpost.runtime.math.CommonDivisors;
import dev.outpost.runtime.math.LabelledFunctions;
import dev.outpost.runtime.math.SpecialFunctions;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Defines each {@link Binary} as a function of two numbers. The functions that exist only for floating numbers are
 * {@link LabelledFunctions}. True is 1. A bool is 0 or 1 and is stored as "not zero". So the sum of bools is their disjunction and the
 * product their conjunction. Minimum and maximum need no special code either.
 */
final class BinaryMeaning {
    private BinaryMeaning() {}

    static DoubleBinaryOperator ofDoubles(Binary op, DType dtype) {
        return switch (op) {
            case ADD -> (x, y) -> x + y;
            case SUB -> (x, y) -> x - y;
            case MUL -> (x, y) -> x * y;
            case DIV -> (x, y) -> x / y;
            case TRUNC_DIV -> (x, y) -> x / y < 0 ? Math.ceil(x / y) : Math.floor(x / y);
            case FLOOR_DIV -> FloatingDivision::floorDivide;
            case REMAINDER -> FloatingDivision::remainder;
            // Java's % is C's fmod.
            case FMOD -> (x, y) -> x % y;
            case POW -> SpecialFunctions::pow;
            case MAXIMUM -> Math::max;
            case MINIMUM -> Math::min;
            case COPYSIGN -> Math::copySign;
            case NEXTAFTER -> NextAfter.of(dtype);
            case EQ -> (x, y) -> x == y ? 1 : 0;
            case NE -> (x, y) -> x != y ? 1 : 0;
            case LT -> (x, y) -> x < y ? 1 : 0;
            case LE -> (x, y) -> x <= y ? 1 : 0;
            case GT -> (x, y) -> x > y ? 1 : 0;
            case GE -> (x, y) -> x >= y ? 1 : 0;
            case AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT, GCD -> throw UnaryMeaning.refused(op, "floating numbers");
            default -> LabelledFunctions.of(op);
        };
    }

    static LongBinaryOperator ofLongs(Binary op) {
        return switch (op) {
            case ADD -> Long::sum;
            case SUB -> (x, y) -> x - y;
            case MUL -> (x, y) -> x * y;
            case TRUNC_DIV -> (x, y) -> x / divisor(op, x, y);
            case FLOOR_DIV -> (x, y) -> Math.floorDiv(x, divisor(op, x, y));
            case REMAINDER -> (x, y) -> Math.floorMod(x, divisor(op, x, y));
            case FMOD -> (x, y) -> x % divisor(op, x, y);
            case POW -> BinaryMeaning::power;
            case MAXIMUM -> Math::max;
            case MINIMUM -> Math::min;
            case EQ -> (x, y) -> x == y ? 1 : 0;
            case NE -> (x, y) -> x != y ? 1 : 0;
            case LT -> (x, y) -> x < y ? 1 : 0;
            case LE -> (x, y) -> x <= y ? 1 : 0;
            case GT -> (x, y) -> x > y ? 1 : 0;
            case GE -> (x, y) -> x >= y ? 1 : 0;
            case AND -> (x, y) -> x & y;
            case OR -> (x, y) -> x | y;
            case XOR -> (x, y) -> x ^ y;
            // For a narrower dtype, counts from its width to 63 shift out all of its bits anyway.
            case SHIFT_LEFT -> (x, y) -> isShift(y) ? x << y : 0;
            case SHIFT_RIGHT -> (x, y) -> x >> (isShift(y) ? y : Long.SIZE - 1);
            case GCD -> CommonDivisors::of;
            default -> throw UnaryMeaning.refused(op, "integers");
        };
    }

    private static long divisor(Binary op, long dividend, long divisor) {
        if (divisor == 0) {
            throw new OpException(op.label(), "integer division by zero, got " + dividend + " and 0");
        }
        return divisor;
    }

    private static boolean isShift(long count) {
        return count >= 0 && count < Long.SIZE;
    }

    /** Computes the power by repeated squaring, with wrapping. */
    private static long power(long base, long exponent) {
        if (exponent < 0) {
            return powerBelowZero(base, exponent);
        }
        long result = 1;
        long square = base;
        for (long rest = exponent; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                result *= square;
            }
            square *= square;
        }
        return result;
    }

    private static long powerBelowZero(long base, long exponent) {
        if (base == 1) {
            return 1;
        }
        boolean minusOne = base == -1;
        boolean odd = (exponent & 1) == 1;
        return minusOne ? (odd ? -1 : 1) : 0;
    }
}
