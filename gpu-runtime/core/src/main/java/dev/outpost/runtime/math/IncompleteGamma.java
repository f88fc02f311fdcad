package dev.outpost.runtime.math;

/** The regularized incomplete gamma functions: the series of DLMF 8.11.4, and the continued fraction of 8.9.2 by Lentz. */
final class IncompleteGamma {

    private IncompleteGamma() {}

    /** Returns the part of the integral below x. */
    static double lower(double a, double x) {
        double limit = limit(a, x);
        if (limit == limit || !(a > 0 && x > 0)) {
            return limit;
        }
        return x <= a + 1 ? series(a, x) : 1 - fraction(a, x);
    }

    /** Returns the part of the integral above x. */
    static double upper(double a, double x) {
        double limit = limit(a, x);
        if (limit == limit || !(a > 0 && x > 0)) {
            return 1 - limit;
        }
        return x <= a + 1 ? 1 - series(a, x) : fraction(a, x);
    }

    /**
     * Returns the lower function at the ends of its domain. Returns NaN outside of the domain, and where the function has to be computed.
     */
    private static double limit(double a, double x) {
        if (!(a >= 0 && x >= 0)
                || (a == 0 && x == 0)
                || (a == Double.POSITIVE_INFINITY && x == Double.POSITIVE_INFINITY)) {
            return Double.NaN;
        }
        if (a == Double.POSITIVE_INFINITY || x == 0) {
            return 0;
        }
        return a == 0 || x == Double.POSITIVE_INFINITY ? 1 : Double.NaN;
    }

    /** x to the a, times exp(-x), over the gamma function of a. */
    private static double power(double a, double x) {
        if (a < 100) {
            return Math.exp(a * Math.log(x) - x - LogGamma.lgamma(a));
        }
        double beyond = (x - a) / a;
        double inverse = 1 / (a * a);
        double correction = (1.0 / 12 - inverse * (1.0 / 360 - inverse / 1260)) / a;
        return Math.exp(a * (Math.log1p(beyond) - beyond) - correction) * Math.sqrt(a / (2 * Math.PI));
    }

    /** Returns the lower function for x up to a + 1. */
    private static double series(double a, double x) {
        double term = 1 / a;
        double sum = term;
        for (int step = 1; step < 20000 && term > sum * 1e-17; step++) {
            term *= x / (a + step);
            sum += term;
        }
        return sum * power(a, x);
    }

    /** Returns the upper function for x from a + 1 on. */
    private static double fraction(double a, double x) {
        double b = x + 1 - a;
        double c = 1e300;
        double d = 1 / b;
        double value = d;
        double change = 0;
        for (int step = 1; step < 20000 && Math.abs(change - 1) > 1e-16; step++) {
            double above = -step * (step - a);
            b += 2;
            d = 1 / (above * d + b);
            c = b + above / c;
            change = c * d;
            value *= change;
        }
        return value * power(a, x);
    }
}
