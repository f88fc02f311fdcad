package dev.outpost.runtime.math;

/**
 * Modified Bessel functions of orders 0 and 1, by the formulas of DLMF 10.31 and 10.40. Each interval has a Chebyshev series, which was
 * fitted to 30 digits with mpmath.
 */
final class ModifiedBessel {
    private static final double[] I0_SMALL = Coefficients.of("modified_I0_SMALL");
    private static final double[] I1_SMALL = Coefficients.of("modified_I1_SMALL");

    private static final double[] I0_LARGE = Coefficients.of("modified_I0_LARGE");
    private static final double[] I1_LARGE = Coefficients.of("modified_I1_LARGE");

    private static final double[] K0_SMALL = Coefficients.of("modified_K0_SMALL");
    private static final double[] K1_SMALL = Coefficients.of("modified_K1_SMALL");

    private static final double[] K0_LARGE = Coefficients.of("modified_K0_LARGE");
    private static final double[] K1_LARGE = Coefficients.of("modified_K1_LARGE");

    private ModifiedBessel() {}

    /** Returns the function of the first kind, order 0. */
    static double i0(double x) {
        double half = Math.exp(Math.abs(x) / 2);
        return half * i0e(x) * half;
    }

    /** Returns the function of the first kind, order 0, times exp(-|x|). */
    static double i0e(double x) {
        double size = Math.abs(x);
        return size <= 8
                ? Chebyshev.at(size / 4 - 1, I0_SMALL)
                : Chebyshev.at(16 / size - 1, I0_LARGE) / Math.sqrt(size);
    }

    /** Returns the function of the first kind, order 1. */
    static double i1(double x) {
        double half = Math.exp(Math.abs(x) / 2);
        return half * i1e(x) * half;
    }

    /** Returns the function of the first kind, order 1, times exp(-|x|). */
    static double i1e(double x) {
        double size = Math.abs(x);
        if (size <= 8) {
            return x * Chebyshev.at(size / 4 - 1, I1_SMALL);
        }
        double value = Chebyshev.at(16 / size - 1, I1_LARGE) / Math.sqrt(size);
        return x < 0 ? -value : value;
    }

    /** Returns the function of the second kind, order 0: infinite at 0, NaN below. */
    static double k0(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        return x <= 2 ? near0(x) : Math.exp(-x) * far0(x);
    }

    /** Returns the function of the second kind, order 0, times exp(x). */
    static double k0e(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        return x <= 2 ? Math.exp(x) * near0(x) : far0(x);
    }

    /** Returns the function of the second kind, order 1: infinite at 0, NaN below. */
    static double k1(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        return x <= 2 ? near1(x) : Math.exp(-x) * far1(x);
    }

    /** Returns the function of the second kind, order 1, times exp(x). */
    static double k1e(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        return x <= 2 ? Math.exp(x) * near1(x) : far1(x);
    }

    /** Returns the function of the second kind, order 0, up to 2. */
    private static double near0(double x) {
        return Chebyshev.at(x * x / 2 - 1, K0_SMALL) - Math.log(x / 2) * i0(x);
    }

    /** Returns the function of the second kind, order 0, times exp(x), from 2 on. */
    private static double far0(double x) {
        return x == Double.POSITIVE_INFINITY ? 0 : Chebyshev.at(4 / x - 1, K0_LARGE) / Math.sqrt(x);
    }

    /** Returns the function of the second kind, order 1, up to 2. */
    private static double near1(double x) {
        return Chebyshev.at(x * x / 2 - 1, K1_SMALL) / x + Math.log(x / 2) * i1(x);
    }

    /** Returns the function of the second kind, order 1, times exp(x), from 2 on. */
    private static double far1(double x) {
        return x == Double.POSITIVE_INFINITY ? 0 : Chebyshev.at(4 / x - 1, K1_LARGE) / Math.sqrt(x);
    }
}
