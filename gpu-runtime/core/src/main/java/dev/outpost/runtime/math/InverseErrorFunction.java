package dev.outpost.runtime.math;

/** The inverse of {@link ErrorFunction}, found by iteration. */
final class InverseErrorFunction {
    /** The constants of the first approximation, good to four digits, are those of PyTorch's calc_erfinv. */
    private static final double START_CENTRE = 0.7;

    private static final double[] CENTRE_ABOVE = Coefficients.of("erfinv_CENTRE_ABOVE");
    private static final double[] CENTRE_BELOW = Coefficients.of("erfinv_CENTRE_BELOW");
    private static final double[] OUTER_ABOVE = Coefficients.of("erfinv_OUTER_ABOVE");
    private static final double[] OUTER_BELOW = Coefficients.of("erfinv_OUTER_BELOW");

    private InverseErrorFunction() {}

    /** Computes a rough approximation and improves it by two Halley steps, each of which triples the correct digits. */
    static double erfinv(double y) {
        double size = Math.abs(y);
        if (size < 1) {
            double x = startOfInverse(size);
            return Math.copySign(improveInverse(improveInverse(x, size), size), y);
        }
        return size == 1 ? Math.copySign(Double.POSITIVE_INFINITY, y) : Double.NaN;
    }

    private static double startOfInverse(double y) {
        if (y <= START_CENTRE) {
            return y * Polynomial.ratio(y * y, CENTRE_ABOVE, CENTRE_BELOW);
        }
        return Polynomial.ratio(Math.sqrt(-Math.log((1 - y) / 2)), OUTER_ABOVE, OUTER_BELOW);
    }

    private static double improveInverse(double x, double y) {
        // Near 1, erf has lost digits that erfc still has. 1 - y is exact.
        double error = y < 0.5 ? ErrorFunction.erf(x) - y : (1 - y) - ErrorFunction.erfc(x);
        double newton = error / (2 / Math.sqrt(Math.PI) * Math.exp(-x * x));
        return x - newton / (1 + x * newton);
    }
}
