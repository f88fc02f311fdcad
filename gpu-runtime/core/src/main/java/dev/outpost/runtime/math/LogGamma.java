package dev.outpost.runtime.math;

/**
 * lgamma after fdlibm's e_lgamma_r.c. Near its zeros right of 0 the relative accuracy is kept. Arguments on the left are computed by
 * reflection, and near the zeros there only the absolute accuracy is kept.
 *
 * <p>Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business. Permission
 * to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
 */
final class LogGamma {
    private static final double[] NEAR_2_EVEN = {
        7.72156649015328655494e-02,
        6.73523010531292681824e-02,
        7.38555086081402883957e-03,
        1.19270763183362067845e-03,
        2.20862790713908385557e-04,
        2.52144565451257326939e-05
    };
    private static final double[] NEAR_2_ODD = {
        3.22467033424113591611e-01,
        2.05808084325167332806e-02,
        2.89051383673415629091e-03,
        5.10069792153511336608e-04,
        1.08011567247583939954e-04,
        4.48640949618915160150e-05
    };

    /** The minimum of lgamma: its position, its value, and the value's rounding error. */
    private static final double LOWEST = 1.46163214496836224576e+00;

    private static final double LOWEST_VALUE = -1.21486290535849611461e-01;
    private static final double LOWEST_REST = -3.63867699703950536541e-18;

    private static final double[] LOWEST_0 = {
        4.83836122723810047042e-01,
        -3.27885410759859649565e-02,
        6.10053870246291332635e-03,
        -1.40346469989232843813e-03,
        3.15632070903625950361e-04
    };
    private static final double[] LOWEST_1 = {
        -1.47587722994593911752e-01,
        1.79706750811820387126e-02,
        -3.68452016781138256760e-03,
        8.81081882437654011382e-04,
        -3.12754168375120860518e-04
    };
    private static final double[] LOWEST_2 = {
        6.46249402391333854778e-02,
        -1.03142241298341437450e-02,
        2.25964780900612472250e-03,
        -5.38595305356740546715e-04,
        3.35529192635519073543e-04
    };
    private static final double[] NEAR_1_ABOVE = {
        -7.72156649015328655494e-02,
        6.32827064025093366517e-01,
        1.45492250137234768737e+00,
        9.77717527963372745603e-01,
        2.28963728064692451092e-01,
        1.33810918536787660377e-02
    };
    private static final double[] NEAR_1_BELOW = {
        1,
        2.45597793713041134822e+00,
        2.12848976379893395361e+00,
        7.69285150456672783825e-01,
        1.04222645593369134254e-01,
        3.21709242282423911810e-03
    };
    private static final double[] FROM_2_ABOVE = {
        -7.72156649015328655494e-02,
        2.14982415960608852501e-01,
        3.25778796408930981787e-01,
        1.46350472652464452805e-01,
        2.66422703033638609560e-02,
        1.84028451407337715652e-03,
        3.19475326584100867617e-05
    };
    private static final double[] FROM_2_BELOW = {
        1,
        1.39200533467621045958e+00,
        7.21935547567138069525e-01,
        1.71933865632803078993e-01,
        1.86459191715652901344e-02,
        7.77942496381893596434e-04,
        7.32668430744625636189e-06
    };
    private static final double STIRLING_0 = 4.18938533204672725052e-01;
    private static final double[] STIRLING = {
        8.33333333333329678849e-02,
        -2.77777777728775536470e-03,
        7.93650558643019558500e-04,
        -5.95187557450339963135e-04,
        8.36339918996282139126e-04,
        -1.63092934096575273989e-03
    };

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
