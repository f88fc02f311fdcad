package dev.outpost.runtime.math;

/**
 * Bessel functions of orders 0 and 1, by the formulas of DLMF 10.8.1, 10.8.2 and 10.17. Each interval has a Chebyshev series, which was
 * fitted to 30 digits with mpmath.
 */
final class Bessel {
    private static final double[] J0_SMALL = Coefficients.of("bessel_J0_SMALL");
    private static final double[] J1_SMALL = Coefficients.of("bessel_J1_SMALL");

    private static final double[] Y0_SMALL = Coefficients.of("bessel_Y0_SMALL");
    private static final double[] Y1_SMALL = Coefficients.of("bessel_Y1_SMALL");

    private static final double[] P0 = Coefficients.of("bessel_P0");
    private static final double[] Q0 = Coefficients.of("bessel_Q0");

    private static final double[] P1 = Coefficients.of("bessel_P1");
    private static final double[] Q1 = Coefficients.of("bessel_Q1");

    private Bessel() {}

    /** Returns the function of the first kind, order 0. */
    static double j0(double x) {
        double size = Math.abs(x);
        if (size <= 8) {
            return Chebyshev.at(x * x / 32 - 1, J0_SMALL);
        }
        if (size == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double angle = size - Math.PI / 4;
        return Math.sqrt(2 / (Math.PI * size)) * (p0(size) * Math.cos(angle) - q0(size) * Math.sin(angle));
    }

    /** Returns the function of the first kind, order 1; odd. */
    static double j1(double x) {
        double size = Math.abs(x);
        if (size <= 8) {
            return x * Chebyshev.at(x * x / 32 - 1, J1_SMALL);
        }
        if (size == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double angle = size - 0.75 * Math.PI;
        double value = Math.sqrt(2 / (Math.PI * size)) * (p1(size) * Math.cos(angle) - q1(size) * Math.sin(angle));
        return x < 0 ? -value : value;
    }

    /** Returns the function of the second kind, order 0: minus infinity at 0, NaN below. */
    static double y0(double x) {
        if (!(x > 0)) {
            return x == 0 ? -Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (x <= 8) {
            return Chebyshev.at(x * x / 32 - 1, Y0_SMALL) + 2 / Math.PI * Math.log(x) * j0(x);
        }
        if (x == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double angle = x - Math.PI / 4;
        return Math.sqrt(2 / (Math.PI * x)) * (p0(x) * Math.sin(angle) + q0(x) * Math.cos(angle));
    }

    /** Returns the function of the second kind, order 1: minus infinity at 0, NaN below. */
    static double y1(double x) {
        if (!(x > 0)) {
            return x == 0 ? -Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (x <= 8) {
            return x * Chebyshev.at(x * x / 32 - 1, Y1_SMALL) + 2 / Math.PI * (Math.log(x) * j1(x) - 1 / x);
        }
        if (x == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double angle = x - 0.75 * Math.PI;
        return Math.sqrt(2 / (Math.PI * x)) * (p1(x) * Math.sin(angle) + q1(x) * Math.cos(angle));
    }

    /** Returns the coefficient of the cosine in the formula for large numbers, for order 0. */
    private static double p0(double x) {
        double inverse = 8 / x;
        return Chebyshev.at(2 * inverse * inverse - 1, P0);
    }

    /** Returns the coefficient of the sine in the formula for large numbers, for order 0. */
    private static double q0(double x) {
        double inverse = 8 / x;
        return Chebyshev.at(2 * inverse * inverse - 1, Q0) / x;
    }

    /** Returns the coefficient of the cosine in the formula for large numbers, for order 1. */
    private static double p1(double x) {
        double inverse = 8 / x;
        return Chebyshev.at(2 * inverse * inverse - 1, P1);
    }

    /** Returns the coefficient of the sine in the formula for large numbers, for order 1. */
    private static double q1(double x) {
        double inverse = 8 / x;
        return Chebyshev.at(2 * inverse * inverse - 1, Q1) / x;
    }
}
