package dev.outpost.runtime.math;

/**
 * Computes digamma with the constants of Boost.Math's digamma.hpp (copyright John Maddock 2006, Boost Software License 1.0). Near its zero
 * right of 0 the relative accuracy is kept. Arguments on the left are computed by reflection, and near the zeros there only the absolute
 * accuracy is kept.
 */
final class Digamma {
    /** The zero right of 0, in three parts whose sum is more precise than a double. */
    private static final double ZERO_1 = 1569415565.0 / 1073741824.0;

    private static final double ZERO_2 = 381566830.0 / 1073741824.0 / 1073741824.0;
    private static final double ZERO_3 = 0.9016312093258695918615325266959189453125e-19;
    private static final double SLOPE = 0.99558162689208984;

    private static final double[] ZERO_ABOVE = Coefficients.of("digamma_ZERO_ABOVE");
    private static final double[] ZERO_BELOW = Coefficients.of("digamma_ZERO_BELOW");

    /** The Bernoulli numbers 2k divided by 2k, for the asymptotic series. */
    private static final double[] SERIES = {
        1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12
    };

    private Digamma() {}

    static double digamma(double x) {
        if (x == 0) {
            return Math.copySign(Double.POSITIVE_INFINITY, -x);
        }
        if (x > 0 || Double.isNaN(x)) {
            return ofPositive(x);
        }
        if (x == Math.rint(x)) {
            return Double.NaN;
        }
        double fraction = Math.IEEEremainder(x, 1);
        return ofPositive(1 - x) - Math.PI / Math.tan(Math.PI * fraction);
    }

    private static double ofPositive(double x) {
        if (!(x < 10)) {
            return from10(x);
        }
        double sum = 0;
        double rest = x;
        while (rest > 2) {
            rest -= 1;
            sum += 1 / rest;
        }
        return rest < 1 ? nearZero(rest + 1) - 1 / rest : sum + nearZero(rest);
    }

    /** Computes digamma for x from 1 to 2. */
    private static double nearZero(double x) {
        double distance = x - ZERO_1 - ZERO_2 - ZERO_3;
        return distance * SLOPE + distance * Polynomial.ratio(x - 1, ZERO_ABOVE, ZERO_BELOW);
    }

    private static double from10(double x) {
        double inverse = 1 / (x * x);
        return Math.log(x) - 0.5 / x - inverse * Polynomial.at(inverse, SERIES);
    }
}
