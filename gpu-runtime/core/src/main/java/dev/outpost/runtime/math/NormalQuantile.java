package dev.outpost.runtime.math;

/** The quantile function of a standard normal. Each interval has a Chebyshev series, which was fitted to 30 digits with mpmath. */
final class NormalQuantile {
    private static final double[] QUANTILE = Coefficients.of("quantile_QUANTILE");
    private static final double[] QUANTILE_FAR = Coefficients.of("quantile_QUANTILE_FAR");

    private NormalQuantile() {}

    /** Returns the number below which the share p of a standard normal lies; infinite at 0 and 1, NaN outside. */
    static double ndtri(double p) {
        if (!(p > 0 && p < 1)) {
            return p == 0 ? -Double.POSITIVE_INFINITY : p == 1 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (p > 0.0261 && p < 0.9739) {
            return Math.sqrt(2.0) * InverseErrorFunction.erfinv(2 * p - 1);
        }
        return p < 0.5 ? -beyond(p) : beyond(1 - p);
    }

    /** Returns the absolute value beyond which a small share of a standard normal lies. */
    private static double beyond(double share) {
        double r = Math.sqrt(-2 * Math.log(share));
        double below =
                r <= 8 ? Chebyshev.at((2 * r - 10.7) / 5.3, QUANTILE) : Chebyshev.at((2 * r - 47) / 31, QUANTILE_FAR);
        return r - below / r;
    }
}
