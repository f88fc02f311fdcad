package dev.outpost.runtime.math;

/**
 * The derivatives of digamma, computed from the Hurwitz zeta function. Uses DLMF 25.11.12, and 25.11.43 for the sum, which is cut after
 * {@value #TERMS} corrections.
 */
final class Polygamma {
    /** The number from which the corrections are below a double's precision. */
    private static final double FAR = 12;

    private static final int TERMS = 10;

    /** The Bernoulli numbers B2, B4, … divided by (2j)!. */
    private static final double[] BERNOULLI_OVER_FACTORIAL = bernoulliOverFactorial();

    private Polygamma() {}

    /** Returns the derivative of digamma of the given order, a whole number. Order 0 is digamma itself. Other orders below 1 give NaN. */
    static double polygamma(double order, double x) {
        if (order == 0) {
            return Digamma.digamma(x);
        }
        if (order < 0 || order != Math.rint(order)) {
            return Double.NaN;
        }
        double sign = order % 2 == 0 ? -1 : 1;
        return sign * factorial(order) * zeta(order + 1, x);
    }

    /**
     * Returns the Hurwitz zeta function as PyTorch bounds it: infinite for s = 1; NaN for s below 1, and for negative x with fractional s.
     */
    static double hurwitz(double s, double x) {
        if (s == 1) {
            return Double.POSITIVE_INFINITY;
        }
        if (!(s > 1) || Double.isNaN(x) || x < 0 && x != Math.rint(x) && s != Math.rint(s)) {
            return Double.NaN;
        }
        return zeta(s, x);
    }

    /** Returns the sum over k from 0 of (x + k) to the power of -s, for whole s from 2; infinite at 0, -1, -2, … */
    private static double zeta(double s, double x) {
        if (x > 0) {
            return zetaOfPositive(s, x);
        }
        if (x == Math.rint(x)) {
            return Double.POSITIVE_INFINITY;
        }
        // The terms left of 0 are mirrored: the difference of two sums, the one that begins near 0 and the one that
        // begins beyond x.
        double fraction = x - Math.floor(x);
        double mirrored = zetaOfPositive(s, 1 - fraction) - zetaOfPositive(s, 1 - x);
        return zetaOfPositive(s, fraction) + (s % 2 == 0 ? mirrored : -mirrored);
    }

    private static double zetaOfPositive(double s, double x) {
        if (x == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double sum = 0;
        double position = x;
        for (; position < FAR; position++) {
            sum += Math.pow(position, -s);
        }
        return sum + tail(s, position);
    }

    /** Returns the rest of the sum, by the Euler-Maclaurin formula. */
    private static double tail(double s, double position) {
        double power = Math.pow(position, -s);
        double sum = power * position / (s - 1) + power / 2;
        double rising = s;
        double scaled = power / position;
        for (int term = 0; term < TERMS; term++) {
            sum += BERNOULLI_OVER_FACTORIAL[term] * rising * scaled;
            rising *= (s + 2 * term + 1) * (s + 2 * term + 2);
            scaled /= position * position;
        }
        return sum;
    }

    /** Returns the factorial, which is infinite from 171 on. */
    private static double factorial(double order) {
        double product = 1;
        for (double factor = 2; factor <= order && product < Double.POSITIVE_INFINITY; factor++) {
            product *= factor;
        }
        return product;
    }

    /** Computes the numbers from the generating function x / (e^x - 1): each follows from those before it. */
    private static double[] bernoulliOverFactorial() {
        double[] all = new double[2 * TERMS + 1];
        all[0] = 1;
        for (int index = 1; index < all.length; index++) {
            double factorial = 1;
            for (int earlier = index - 1; earlier >= 0; earlier--) {
                factorial *= index - earlier + 1;
                all[index] -= all[earlier] / factorial;
            }
        }
        double[] even = new double[TERMS];
        for (int term = 0; term < TERMS; term++) {
            even[term] = all[2 * term + 2];
        }
        return even;
    }
}
