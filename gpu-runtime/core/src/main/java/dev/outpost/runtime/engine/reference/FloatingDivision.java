package dev.outpost.runtime.engine.reference;

/** Division that rounds down, following PyTorch's c10/util/generic_math.h and its remainder kernel. */
final class FloatingDivision {
    private FloatingDivision() {}

    /** Differs from floor(x / y), which is wrong if the quotient rounds up to an integer. */
    static double floorDivide(double x, double y) {
        if (y == 0) {
            return x / y;
        }
        double left = x % y;
        double quotient = (x - left) / y;
        if (isOnWrongSide(left, y)) {
            quotient -= 1;
        }
        return quotient == 0 ? Math.copySign(0, x / y) : toInteger(quotient);
    }

    /** Rounds a quotient that is an integer apart from rounding errors. */
    private static double toInteger(double quotient) {
        double floor = Math.floor(quotient);
        return quotient - floor > 0.5 ? floor + 1 : floor;
    }

    static double remainder(double x, double y) {
        double left = x % y;
        return isOnWrongSide(left, y) ? left + y : left;
    }

    private static boolean isOnWrongSide(double left, double y) {
        return left != 0 && (left < 0) != (y < 0);
    }
}
