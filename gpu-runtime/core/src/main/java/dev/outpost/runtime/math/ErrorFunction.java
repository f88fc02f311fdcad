package dev.outpost.runtime.math;

/**
 * erf and erfc by rational approximation, after fdlibm's s_erf.c, whose notes derive the intervals and give an error
 * below one unit in the last place.
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

    private static final double[] SMALL_ABOVE = {
        1.28379167095512558561e-01,
        -3.25042107247001499370e-01,
        -2.84817495755985104766e-02,
        -5.77027029648944159157e-03,
        -2.37630166566501626084e-05
    };
    private static final double[] SMALL_BELOW = {
        1,
        3.97917223959155352819e-01,
        6.50222499887672944485e-02,
        5.08130628187576562776e-03,
        1.32494738004321644526e-04,
        -3.96022827877536812320e-06
    };
    private static final double[] MIDDLE_ABOVE = {
        -2.36211856075265944077e-03,
        4.14856118683748331666e-01,
        -3.72207876035701323847e-01,
        3.18346619901161753674e-01,
        -1.10894694282396677476e-01,
        3.54783043256182359371e-02,
        -2.16637559486879084300e-03
    };
    private static final double[] MIDDLE_BELOW = {
        1,
        1.06420880400844228286e-01,
        5.40397917702171048937e-01,
        7.18286544141962662868e-02,
        1.26171219808761642112e-01,
        1.36370839120290507362e-02,
        1.19844998467991074170e-02
    };
    private static final double[] LARGE_ABOVE = {
        -9.86494403484714822705e-03,
        -6.93858572707181764372e-01,
        -1.05586262253232909814e+01,
        -6.23753324503260060396e+01,
        -1.62396669462573470355e+02,
        -1.84605092906711035994e+02,
        -8.12874355063065934246e+01,
        -9.81432934416914548592e+00
    };
    private static final double[] LARGE_BELOW = {
        1,
        1.96512716674392571292e+01,
        1.37657754143519042600e+02,
        4.34565877475229228821e+02,
        6.45387271733267880336e+02,
        4.29008140027567833386e+02,
        1.08635005541779435134e+02,
        6.57024977031928170135e+00,
        -6.04244152148580987438e-02
    };
    private static final double[] TAIL_ABOVE = {
        -9.86494292470009928597e-03,
        -7.99283237680523006574e-01,
        -1.77579549177547519889e+01,
        -1.60636384855821916062e+02,
        -6.37566443368389627722e+02,
        -1.02509513161107724954e+03,
        -4.83519191608651397019e+02
    };
    private static final double[] TAIL_BELOW = {
        1,
        3.03380607434824582924e+01,
        3.25792512996573918826e+02,
        1.53672958608443695994e+03,
        3.19985821950859553908e+03,
        2.55305040643316442583e+03,
        4.74528541206955367215e+02,
        -2.24409524465858183362e+01
    };

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

    /** On the right the exponential decay of erfc is cancelled before it is computed. */
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

    /** erf(x) / x - 1. */
    private static double small(double x) {
        return Polynomial.ratio(x * x, SMALL_ABOVE, SMALL_BELOW);
    }

    /** erf(x) - {@link #NEAR_ERF_1}. */
    private static double middle(double x) {
        return Polynomial.ratio(x - 1, MIDDLE_ABOVE, MIDDLE_BELOW);
    }

    /** erfc(x) for x from 1.25 on. */
    private static double tail(double x) {
        double upper = upperHalf(x);
        return Math.exp(-upper * upper - 0.5625) * Math.exp((upper - x) * (upper + x) + correction(x)) / x;
    }

    /** log(x · erfc(x)) + x² + 0.5625 for x from 1.25 on. */
    private static double correction(double x) {
        double inverse = 1 / (x * x);
        return x < LARGE
                ? Polynomial.ratio(inverse, LARGE_ABOVE, LARGE_BELOW)
                : Polynomial.ratio(inverse, TAIL_ABOVE, TAIL_BELOW);
    }

    /** The upper half of x's bits, whose square is exact, so that exp's argument loses nothing. */
    private static double upperHalf(double x) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(x) & 0xffffffff00000000L);
    }
}
