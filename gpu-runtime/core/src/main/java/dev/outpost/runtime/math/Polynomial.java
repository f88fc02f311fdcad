package dev.outpost.runtime.math;

final class Polynomial {
    private Polynomial() {}

    /** Evaluates a polynomial by Horner's scheme. The constant coefficient comes first. */
    static double at(double x, double[] coefficients) {
        double sum = coefficients[coefficients.length - 1];
        for (int degree = coefficients.length - 2; degree >= 0; degree--) {
            sum = coefficients[degree] + x * sum;
        }
        return sum;
    }

    static double ratio(double x, double[] above, double[] below) {
        return at(x, above) / at(x, below);
    }
}
