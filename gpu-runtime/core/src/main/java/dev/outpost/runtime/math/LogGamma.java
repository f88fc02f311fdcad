package dev.outpost.runtime.math;

/**
 * Computes lgamma like fdlibm's e_lgamma_r.c. Near its zeros right of 0 the relative accuracy is kept. Arguments on the left are computed
 * by reflection, and near the zeros there only the absolute accuracy is kept.
 *
 * <p>Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business. Permission
 * to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
 */
final class LogGamma {
    private static final double[] NEAR_2_EVEN = Coefficients.of("lgamma_NEAR_2_EVEN");
    private static final double[] NEAR_2_ODD = Coefficients.of("lgamma_NEAR_2_ODD");

    /** The minimum of lgamma: its position, its value, and the value's rounding error. */
    private static final double LOWEST = 1.46163214496836224576e+00;

    private static final double LOWEST_VALUE = -1.21486290535849611461e-01;
    private static final double LOWEST_REST = -3.63867699703950536541e-18;

    private static final double[] LOWEST_0 = Coefficients.of("lgamma_LOWEST_0");
    private static final double[] LOWEST_1 = Coefficients.of("lgamma_LOWEST_1");
    private static final double[] LOWEST_2 = Coefficients.of("lgamma_LOWEST_2");
    private static final double[] NEAR_1_ABOVE = Coefficients.of("lgamma_NEAR_1_ABOVE");
    private static final double[] NEAR_1_BELOW = Coefficients.of("lgamma_NEAR_1_BELOW");
    private static final double[] FROM_2_ABOVE = Coefficients.of("lgamma_FROM_2_ABOVE");
    private static final double[] FROM_2_BELOW = Coefficients.of("lgamma_FROM_2_BELOW");
    private static final double STIRLING_0 = 4.18938533204672725052e-01;
    private static final double[] STIRLING = Coefficients.of("lgamma_STIRLING");

    private LogGamma() {}

    static double lgamma(double x) {
        if (x > 0) {
            return lgammaOfPositive(x);
        }
        if (Double.isNaN(x)) {
            return x;
        }
        if (x == Math.rint(x)) {
            return Double.POSITIVE_INFINITY;
        }
        // Such numbers are too small for the product in the reflection formula. There lgamma is -log|x|.
        if (x > -0x1p-70) {
            return -Math.log(-x);
        }
        return Math.log(Math.PI / Math.abs(sinPi(x) * x)) - lgammaOfPositive(-x);
    }

    private static double lgammaOfPositive(double x) {
        if (x < 0x1p-70) {
            return -Math.log(x);
        }
        if (x < 2) {
            return x <= 0.9 ? lgammaBelow2(x) - Math.log(x) : lgammaBelow2(x - 1);
        }
        return x < 8 ? lgammaFrom2(x) : lgammaFrom8(x);
    }

    /** lgamma(1 + above) for above from -0.1 to 1, with an approximation for each neighbourhood. */
    private static double lgammaBelow2(double above) {
        if (above >= 0.7316) {
            return near2(1 - above);
        }
        return above >= 0.2316 ? nearLowest(above - (LOWEST - 1)) : near1(above);
    }

    private static double near2(double y) {
        double z = y * y;
        double even = Polynomial.at(z, NEAR_2_EVEN);
        double odd = z * Polynomial.at(z, NEAR_2_ODD);
        return y * even + odd - 0.5 * y;
    }

    private static double nearLowest(double y) {
        double z = y * y;
        double w = z * y;
        double p0 = Polynomial.at(w, LOWEST_0);
        double p1 = Polynomial.at(w, LOWEST_1);
        double p2 = Polynomial.at(w, LOWEST_2);
        return LOWEST_VALUE + (z * p0 - (LOWEST_REST - w * (p1 + y * p2)));
    }

    private static double near1(double y) {
        // Without adding 0, lgamma(1) would be -0.
        return y * Polynomial.ratio(y, NEAR_1_ABOVE, NEAR_1_BELOW) - 0.5 * y + 0.0;
    }

    /** Reduces x from 2 to 8 to [2, 3) by the recurrence. */
    private static double lgammaFrom2(double x) {
        int whole = (int) x;
        double y = x - whole;
        double product = 1;
        for (int step = 2; step < whole; step++) {
            product *= y + step;
        }
        double near = 0.5 * y + y * Polynomial.ratio(y, FROM_2_ABOVE, FROM_2_BELOW);
        return near + Math.log(product);
    }

    private static double lgammaFrom8(double x) {
        double log = Math.log(x);
        if (x >= 0x1p58) {
            return x * (log - 1);
        }
        double inverse = 1 / x;
        double correction = STIRLING_0 + inverse * Polynomial.at(inverse * inverse, STIRLING);
        return (x - 0.5) * (log - 1) + correction;
    }

    /** sin(pi * x) with an exact reduction of its argument. */
    private static double sinPi(double x) {
        double rest = Math.IEEEremainder(x, 2);
        // Folded to the range in which the sine is most exact.
        double folded = Math.abs(rest) > 0.5 ? Math.copySign(1, rest) - rest : rest;
        return Math.sin(Math.PI * folded);
    }
}
