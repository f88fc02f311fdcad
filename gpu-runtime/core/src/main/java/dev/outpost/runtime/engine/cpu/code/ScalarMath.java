package dev.outpost.runtime.engine.cpu.code;

import dev.outpost.protocol.op.Binary;
import dev.outpost.types.Half;
import dev.outpost.types.OpException;

/**
 * The functions that generated loops call for a single number if the JVM has no instruction for it. They are small
 * static methods, so that the JIT inlines them. Each has an overload for every JVM type with which {@link ScalarCode}
 * calls it.
 */
public final class ScalarMath {
    private ScalarMath() {}

    public static int isNonzero(int x) {
        return x != 0 ? 1 : 0;
    }

    public static int isNonzero(long x) {
        return x != 0 ? 1 : 0;
    }

    public static int isNonzero(float x) {
        return x != 0 ? 1 : 0;
    }

    public static int isNonzero(double x) {
        return x != 0 ? 1 : 0;
    }

    public static int isNan(int x) {
        return 0;
    }

    public static int isNan(long x) {
        return 0;
    }

    public static int isNan(float x) {
        return x != x ? 1 : 0;
    }

    public static int isNan(double x) {
        return x != x ? 1 : 0;
    }

    public static int where(int condition, int yes, int no) {
        return no ^ (yes ^ no) & mask(condition);
    }

    public static long where(int condition, long yes, long no) {
        return no ^ (yes ^ no) & mask(condition);
    }

    public static float where(int condition, float yes, float no) {
        return Float.intBitsToFloat(where(condition, Float.floatToRawIntBits(yes), Float.floatToRawIntBits(no)));
    }

    public static double where(int condition, double yes, double no) {
        return Double.longBitsToDouble(
                where(condition, Double.doubleToRawLongBits(yes), Double.doubleToRawLongBits(no)));
    }

    /**
     * Returns 0 if the condition is 0, otherwise an int whose bits are all 1. Avoids a branch, which would be
     * mispredicted about half of the time.
     */
    private static int mask(int condition) {
        return (condition | -condition) >> 31;
    }

    public static int sign(int x) {
        return Integer.signum(x);
    }

    public static long sign(long x) {
        return Long.signum(x);
    }

    public static float sign(float x) {
        return x > 0 ? 1 : x < 0 ? -1 : 0;
    }

    public static double sign(double x) {
        return x > 0 ? 1 : x < 0 ? -1 : 0;
    }

    public static int relu(int x) {
        return Math.max(x, 0);
    }

    public static long relu(long x) {
        return Math.max(x, 0);
    }

    public static float relu(float x) {
        return Math.max(x, 0);
    }

    public static double relu(double x) {
        return Math.max(x, 0);
    }

    public static double trunc(double x) {
        return x < 0 ? Math.ceil(x) : Math.floor(x);
    }

    public static int truncDivide(int x, int y) {
        return x / divisor(y, x, Binary.TRUNC_DIV);
    }

    public static long truncDivide(long x, long y) {
        return x / divisor(y, x, Binary.TRUNC_DIV);
    }

    public static double truncDivide(double x, double y) {
        return trunc(x / y);
    }

    public static int floorDivide(int x, int y) {
        return Math.floorDiv(x, divisor(y, x, Binary.FLOOR_DIV));
    }

    public static long floorDivide(long x, long y) {
        return Math.floorDiv(x, divisor(y, x, Binary.FLOOR_DIV));
    }

    /** Follows PyTorch's div_floor_floating. */
    public static double floorDivide(double x, double y) {
        if (y == 0) {
            return x / y;
        }
        double left = x % y;
        double quotient = (x - left) / y;
        if (left != 0 && (y < 0) != (left < 0)) {
            quotient -= 1;
        }
        if (quotient == 0) {
            return Math.copySign(0.0, x / y);
        }
        double floor = Math.floor(quotient);
        return quotient - floor > 0.5 ? floor + 1 : floor;
    }

    public static int remainder(int x, int y) {
        return Math.floorMod(x, divisor(y, x, Binary.REMAINDER));
    }

    public static long remainder(long x, long y) {
        return Math.floorMod(x, divisor(y, x, Binary.REMAINDER));
    }

    public static float remainder(float x, float y) {
        float left = x % y;
        return left != 0 && (y < 0) != (left < 0) ? left + y : left;
    }

    public static double remainder(double x, double y) {
        double left = x % y;
        return left != 0 && (y < 0) != (left < 0) ? left + y : left;
    }

    public static int fmod(int x, int y) {
        return x % divisor(y, x, Binary.FMOD);
    }

    public static long fmod(long x, long y) {
        return x % divisor(y, x, Binary.FMOD);
    }

    /** Computes the power in longs, whose low bits equal the power of ints and of narrower integers. */
    public static int pow(int base, int exponent) {
        return (int) pow((long) base, (long) exponent);
    }

    /** Computes the power by squaring, with wrapping. */
    public static long pow(long base, long exponent) {
        if (exponent < 0) {
            return base == 1 ? 1 : base == -1 ? ((exponent & 1) == 0 ? 1 : -1) : 0;
        }
        long result = 1;
        long square = base;
        for (long rest = exponent; rest != 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                result *= square;
            }
            square *= square;
        }
        return result;
    }

    public static float nextAfter(float x, float towards) {
        return Math.nextAfter(x, (double) towards);
    }

    public static double nextAfter(double x, double towards) {
        return Math.nextAfter(x, towards);
    }

    public static float nextAfterFloat16(float x, float towards) {
        if (!(x < towards || x > towards)) {
            return x == towards ? towards : Float.NaN;
        }
        return Half.fromFloat16((short) neighbour(Half.toFloat16(x), x < towards));
    }

    public static float nextAfterBfloat16(float x, float towards) {
        if (!(x < towards || x > towards)) {
            return x == towards ? towards : Float.NaN;
        }
        return Half.fromBfloat16((short) neighbour(Half.toBfloat16(x), x < towards));
    }

    /**
     * Returns the bits of the next larger or smaller number of a 16-bit format. Its bits are sign and magnitude, and magnitudes are
     * ordered like integers.
     */
    private static int neighbour(short bits, boolean up) {
        if ((bits & 0x7fff) == 0) {
            return up ? 0x0001 : 0x8001;
        }
        return up == (bits > 0) ? bits + 1 : bits - 1;
    }

    public static int shiftLeft(int x, int count, int width) {
        return count >= 0 && count < width ? x << count : 0;
    }

    public static long shiftLeft(long x, long count, int width) {
        return count >= 0 && count < width ? x << count : 0;
    }

    /**
     * Shifts to the right. For a signed narrow dtype, the highest bit of the int repeats the sign. For an unsigned
     * dtype it is 0.
     */
    public static int shiftRight(int x, int count, int width) {
        return count >= 0 && count < width ? x >> count : x >> 31;
    }

    public static long shiftRight(long x, long count, int width) {
        return count >= 0 && count < width ? x >> count : x >> 63;
    }

    private static int divisor(int divisor, int dividend, Binary op) {
        if (divisor == 0) {
            throw divisionByZero(dividend, op);
        }
        return divisor;
    }

    private static long divisor(long divisor, long dividend, Binary op) {
        if (divisor == 0) {
            throw divisionByZero(dividend, op);
        }
        return divisor;
    }

    private static OpException divisionByZero(long dividend, Binary op) {
        return new OpException(op.label(), "integer division by zero, got " + dividend + " and 0");
    }
}
