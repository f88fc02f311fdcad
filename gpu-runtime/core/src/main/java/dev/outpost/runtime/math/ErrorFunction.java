package dev.outpost.runtime.math;

/**
 * Computes erf and erfc by rational approximation, like fdlibm's s_erf.c, whose notes derive the intervals and give an error below one unit
 * in the last place.
 *
 * <p>Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc.
 * business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice
 * is preserved.
 */
final class ErrorFunction {
    private static final double SMALL = 0.84375;
    private static final double MIDDLE = 1.25;
    private static final double LARGE = 1 / 0.35;
    /** The number from which erf is 1; below its negative erfc is 2. */
    private static final double ERF_IS_ONE = 6;
    /** The number from which erfc is 0. */
    private static final double ERFC_IS_ZERO = 28;

    /** Below this value exp(x²) overflows. */
    private static final double ERFCX_IS_INFINITE = -27;

    /** An approximation of erf(1). The middle interval approximates the distance from it. */
    private static final double NEAR_ERF_1 = 8.45062911510467529297e-01;

    private static final double[] SMALL_ABOVE = Coefficients.of("erf_SMALL_ABOVE");
    private static final double[] SMALL_BELOW = Coefficients.of("erf_SMALL_BELOW");
    private static final double[] MIDDLE_ABOVE = Coefficients.of("erf_MIDDLE_ABOVE");
    private static final double[] MIDDLE_BELOW = Coefficients.of("erf_MIDDLE_BELOW");
    private static final double[] LARGE_ABOVE = Coefficients.of("erf_LARGE_ABOVE");
    private static final double[] LARGE_BELOW = Coefficients.of("erf_LARGE_BELOW");
    private static final double[] TAIL_ABOVE = Coefficients.of("erf_TAIL_ABOVE");
    private static final double[] TAIL_BELOW = Coefficients.of("erf_TAIL_BELOW");

    private ErrorFunction() {}

    static double erf(double x) {
        double size = Math.abs(x);
        if (size < SMALL) {
            return x + x * small(x);
        }
        return Double.isNaN(x) ? x : Math.copySign(erfFromSmall(size), x);
    }

    private static double erfFromSmall(double x) {
        if (x < MIDDLE) {
            return NEAR_ERF_1 + middle(x);
        }
        return x < ERF_IS_ONE ? 1 - tail(x) : 1;
    }

    static double erfc(double x) {
        double size = Math.abs(x);
        if (size < SMALL) {
            return erfcOfSmall(x);
        }
        if (Double.isNaN(x)) {
            return x;
        }
        return x > 0 ? erfcFromSmall(size) : 1 + erfFromSmall(size);
    }

    private static double erfcOfSmall(double x) {
        double correction = x * small(x);
        // Above 1/4 the leading 1/2 is exact, and the subtraction from it loses nothing.
        return x < 0.25 ? 1 - (x + correction) : 0.5 - (correction + (x - 0.5));
    }

    private static double erfcFromSmall(double x) {
        if (x < MIDDLE) {
            return 1 - NEAR_ERF_1 - middle(x);
        }
        return x < ERFC_IS_ZERO ? tail(x) : 0;
    }

    /** Computes exp(x²) · erfc(x). For large x the two exponentials cancel in the formula, so neither overflow nor underflow occurs. */
    static double erfcx(double x) {
        if (x >= MIDDLE) {
            return Math.exp(correction(x) - 0.5625) / x;
        }
        if (x < ERFCX_IS_INFINITE) {
            return Math.exp(x * x);
        }
        double upper = upperHalf(x);
        return Math.exp(upper * upper) * Math.exp((x - upper) * (x + upper)) * erfc(x);
    }

    /** Returns erf(x) / x - 1. */
    private static double small(double x) {
        return Polynomial.ratio(x * x, SMALL_ABOVE, SMALL_BELOW);
    }

    /** Returns erf(x) - {@link #NEAR_ERF_1}. */
    private static double middle(double x) {
        return Polynomial.ratio(x - 1, MIDDLE_ABOVE, MIDDLE_BELOW);
    }

    /** Returns erfc(x) for x from 1.25 on. */
    private static double tail(double x) {
        double upper = upperHalf(x);
        return Math.exp(-upper * upper - 0.5625) * Math.exp((upper - x) * (upper + x) + correction(x)) / x;
    }

    /** Returns log(x · erfc(x)) + x² + 0.5625 for x from 1.25 on. */
    private static double correction(double x) {
        double inverse = 1 / (x * x);
        return x < LARGE
                ? Polynomial.ratio(inverse, LARGE_ABOVE, LARGE_BELOW)
                : Polynomial.ratio(inverse, TAIL_ABOVE, TAIL_BELOW);
    }

    /** Returns the upper half of x's bits, whose square is exact, so that exp's argument loses nothing. */
    private static double upperHalf(double x) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(x) & 0xffffffff00000000L);
    }
}
