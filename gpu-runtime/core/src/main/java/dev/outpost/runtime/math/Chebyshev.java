package dev.outpost.runtime.math;

final class Chebyshev {
    private Chebyshev() {}

    /** Evaluates a series of Chebyshev polynomials at t from -1 to 1 by Clenshaw's algorithm. The constant coefficient comes first. */
    static double at(double t, double[] coefficients) {
        double last = 0;
        double beforeLast = 0;
        for (int degree = coefficients.length - 1; degree > 0; degree--) {
            double next = 2 * t * last - beforeLast + coefficients[degree];
            beforeLast = last;
            last = next;
        }
        return t * last - beforeLast + coefficients[0];
    }
}
