package dev.outpost.runtime.math;

/**
 * The Airy function Ai and its derivative, by the formulas of DLMF 9.7. Each interval has a Chebyshev series, which was fitted to 30
 * digits with mpmath.
 */
final class Airy {
    private static final double[] AI_MIDDLE = Coefficients.of("airy_AI_MIDDLE");
    private static final double[] AIP_MIDDLE = Coefficients.of("airy_AIP_MIDDLE");

    private static final double[] AI_RIGHT = Coefficients.of("airy_AI_RIGHT");
    private static final double[] AIP_RIGHT = Coefficients.of("airy_AIP_RIGHT");

    private static final double[] AI_LEFT_P = Coefficients.of("airy_AI_LEFT_P");
    private static final double[] AI_LEFT_Q = Coefficients.of("airy_AI_LEFT_Q");

    private static final double[] AIP_LEFT_P = Coefficients.of("airy_AIP_LEFT_P");
    private static final double[] AIP_LEFT_Q = Coefficients.of("airy_AIP_LEFT_Q");

    /** Returns the argument of the exponential at 2, where the formula of the right side begins. */
    private static double right() {
        return 4 * Math.sqrt(2) / 3;
    }

    /** Returns the angle at -3, where the formula of the left side begins. */
    private static double left() {
        return 2 * Math.sqrt(3);
    }

    private Airy() {}

    /** Returns the Airy function Ai. */
    static double ai(double x) {
        if (x != x) {
            return x;
        }
        if (x >= -3 && x <= 2) {
            return Chebyshev.at((2 * x + 1) / 5, AI_MIDDLE);
        }
        double size = Math.abs(x);
        if (size == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double zeta = 2 * size * Math.sqrt(size) / 3;
        double root = Math.sqrt(Math.sqrt(size));
        if (x > 0) {
            return Chebyshev.at(2 * right() / zeta - 1, AI_RIGHT) * Math.exp(-zeta) / root;
        }
        double near = 2 * left() / zeta - 1;
        double angle = zeta + Math.PI / 4;
        return (Math.sin(angle) * Chebyshev.at(near, AI_LEFT_P) - Math.cos(angle) * Chebyshev.at(near, AI_LEFT_Q))
                / (Math.sqrt(Math.PI) * root);
    }

    /** Returns the derivative of Ai. */
    static double slope(double x) {
        if (x != x) {
            return x;
        }
        if (x >= -3 && x <= 2) {
            return Chebyshev.at((2 * x + 1) / 5, AIP_MIDDLE);
        }
        double size = Math.abs(x);
        if (size == Double.POSITIVE_INFINITY) {
            return x > 0 ? 0 : Double.NaN;
        }
        double zeta = 2 * size * Math.sqrt(size) / 3;
        double root = Math.sqrt(Math.sqrt(size));
        if (x > 0) {
            return Chebyshev.at(2 * right() / zeta - 1, AIP_RIGHT) * Math.exp(-zeta) * root;
        }
        double near = 2 * left() / zeta - 1;
        double angle = zeta + Math.PI / 4;
        return (Math.sin(angle) * Chebyshev.at(near, AIP_LEFT_P) - Math.cos(angle) * Chebyshev.at(near, AIP_LEFT_Q))
                * root
                / Math.sqrt(Math.PI);
    }
}
