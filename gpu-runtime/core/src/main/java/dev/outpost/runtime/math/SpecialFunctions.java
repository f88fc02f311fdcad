package dev.outpost.runtime.math;

/**
 * Functions of doubles that ops need and {@link Math} lacks. Errors are a few units in the last place. Outside of a
 * function's domain the result is NaN.
 */
public final class SpecialFunctions {
    /** Below this number, an odd function of x rounds to x. Above its inverse, adding 1 to the square changes nothing. */
    private static final double TINY = 0x1p-28;

    private static final double LN_2 = Math.log(2);
    private static final double ROOT_2 = Math.sqrt(2);

    private SpecialFunctions() {}

    /** Follows C's pow. Unlike Java's, 1 to any power is 1, even for NaN, and -1 to an infinite power is 1. */
    public static double pow(double base, double exponent) {
        boolean alwaysOne = base == 1 || base == -1 && Double.isInfinite(exponent);
        return alwaysOne ? 1 : Math.pow(base, exponent);
    }

    /** Returns 2 to the x; exact for integers. */
    public static double exp2(double x) {
        return Math.pow(2, x);
    }

    /** Returns the logarithm to base 2; exact for powers of two. */
    public static double log2(double x) {
        if (!(x > 0) || x == Double.POSITIVE_INFINITY) {
            return Math.log(x);
        }
        if (x < Double.MIN_NORMAL) {
            return log2(x * 0x1p54) - 54;
        }
        int exponent = Math.getExponent(x);
        double mantissa = Math.scalb(x, -exponent);
        // The mantissa within [sqrt(1/2), sqrt(2)] keeps the two parts from cancelling.
        return mantissa > ROOT_2 ? exponent + 1 + Math.log(mantissa / 2) / LN_2 : exponent + Math.log(mantissa) / LN_2;
    }

    /** Returns 1 / sqrt(x); infinite at 0 with the zero's sign. */
    public static double rsqrt(double x) {
        return 1 / Math.sqrt(x);
    }

    /** Returns 1 / (1 + exp(-x)), without overflow and exact far to the left. */
    public static double sigmoid(double x) {
        if (x >= 0) {
            return 1 / (1 + Math.exp(-x));
        }
        double power = Math.exp(x);
        return power / (1 + power);
    }

    /** Follows fdlibm's s_asinh.c. */
    public static double asinh(double x) {
        double size = Math.abs(x);
        if (size < TINY) {
            return x;
        }
        return Math.copySign(asinhOfPositive(size), x);
    }

    private static double asinhOfPositive(double x) {
        if (x > 1 / TINY) {
            return Math.log(x) + LN_2;
        }
        double square = x * x;
        double root = Math.sqrt(square + 1);
        return x > 2 ? Math.log(2 * x + 1 / (root + x)) : Math.log1p(x + square / (1 + root));
    }

    /** Follows fdlibm's e_acosh.c; NaN below 1. */
    public static double acosh(double x) {
        if (x > 1 / TINY) {
            return Math.log(x) + LN_2;
        }
        if (x > 2) {
            return Math.log(2 * x - 1 / (x + Math.sqrt(x * x - 1)));
        }
        double above = x - 1;
        return above < 0 ? Double.NaN : Math.log1p(above + Math.sqrt(2 * above + above * above));
    }

    /** Follows fdlibm's e_atanh.c; infinite at -1 and 1. */
    public static double atanh(double x) {
        double size = Math.abs(x);
        if (size < TINY) {
            return x;
        }
        double twice = 2 * size;
        double ratio = size < 0.5 ? twice + twice * size / (1 - size) : twice / (1 - size);
        return Math.copySign(0.5 * Math.log1p(ratio), x);
    }

    /** Returns the error function, 2 / sqrt(pi) times the integral of exp(-t²) from 0 to x. */
    public static double erf(double x) {
        return ErrorFunction.erf(x);
    }

    /** Returns 1 - erf(x), to full relative accuracy far to the right. */
    public static double erfc(double x) {
        return ErrorFunction.erfc(x);
    }

    /** Returns exp(x²) · erfc(x), which neither overflows nor vanishes on the right. */
    public static double erfcx(double x) {
        return ErrorFunction.erfcx(x);
    }

    /** Returns the number whose {@link #erf} is x; infinite at -1 and 1. */
    public static double erfinv(double x) {
        return InverseErrorFunction.erfinv(x);
    }

    /** Returns the logarithm of the absolute value of the gamma function; infinite at 0, -1, -2, … */
    public static double lgamma(double x) {
        return LogGamma.lgamma(x);
    }

    /** Returns the derivative of {@link #lgamma}: infinite at 0 with the opposite sign, and NaN at -1, -2, … */
    public static double digamma(double x) {
        return Digamma.digamma(x);
    }

    /** Returns the derivative of {@link #digamma} of a whole order; NaN for other orders. Order 0 is digamma itself. */
    public static double polygamma(double order, double x) {
        return Polygamma.polygamma(order, x);
    }

    /** Returns the modified Bessel function of the first kind, order 0. */
    public static double i0(double x) {
        return ModifiedBessel.i0(x);
    }

    /** Returns {@link #i0} times exp(-|x|). */
    public static double i0e(double x) {
        return ModifiedBessel.i0e(x);
    }

    /** Returns the modified Bessel function of the first kind, order 1. */
    public static double i1(double x) {
        return ModifiedBessel.i1(x);
    }

    /** Returns {@link #i1} times exp(-|x|). */
    public static double i1e(double x) {
        return ModifiedBessel.i1e(x);
    }

    /** Returns the modified Bessel function of the second kind, order 0, within 16 units in the last place: infinite at 0, NaN below. */
    public static double modifiedBesselK0(double x) {
        return ModifiedBessel.k0(x);
    }

    /** Returns the modified Bessel function of the second kind, order 1, within 16 units in the last place: infinite at 0, NaN below. */
    public static double modifiedBesselK1(double x) {
        return ModifiedBessel.k1(x);
    }

    /** Returns {@link #modifiedBesselK0} times exp(x). */
    public static double scaledModifiedBesselK0(double x) {
        return ModifiedBessel.k0e(x);
    }

    /** Returns {@link #modifiedBesselK1} times exp(x). */
    public static double scaledModifiedBesselK1(double x) {
        return ModifiedBessel.k1e(x);
    }

    /** Returns the number below which the given share of a standard normal lies; infinite at 0 and 1, NaN outside. */
    public static double ndtri(double x) {
        return NormalQuantile.ndtri(x);
    }

    /** Returns the Bessel function of the first kind, order 0. */
    public static double besselJ0(double x) {
        return Bessel.j0(x);
    }

    /** Returns the Bessel function of the first kind, order 1. */
    public static double besselJ1(double x) {
        return Bessel.j1(x);
    }

    /** Returns the Bessel function of the second kind, order 0: minus infinity at 0, NaN below. */
    public static double besselY0(double x) {
        return Bessel.y0(x);
    }

    /** Returns the Bessel function of the second kind, order 1: minus infinity at 0, NaN below. */
    public static double besselY1(double x) {
        return Bessel.y1(x);
    }

    /** Returns the Airy function Ai. */
    public static double airyAi(double x) {
        return Airy.ai(x);
    }

    /** Returns the derivative of {@link #airyAi}. */
    public static double airyAiSlope(double x) {
        return Airy.slope(x);
    }

    /**
     * Returns the sum over k from 0 of (x + k) to the power of -s: infinite for s = 1; NaN for s below 1, and for negative x with
     * fractional s.
     */
    public static double zeta(double s, double x) {
        return Polygamma.hurwitz(s, x);
    }

    /** Returns the regularized lower incomplete gamma function; NaN if a or x is below 0. */
    public static double igamma(double a, double x) {
        return IncompleteGamma.lower(a, x);
    }

    /** Returns the regularized upper incomplete gamma function; NaN if a or x is below 0. */
    public static double igammac(double a, double x) {
        return IncompleteGamma.upper(a, x);
    }

    /** Chebyshev's polynomial of the first kind at x, of the degree cut to a whole number; 0 for degrees below 0. */
    public static double chebyshevPolynomialT(double x, double degree) {
        return OrthogonalPolynomials.chebyshevT(x, degree);
    }

    /** Chebyshev's polynomial of the second kind at x, of the degree cut to a whole number; 0 for degrees below 0. */
    public static double chebyshevPolynomialU(double x, double degree) {
        return OrthogonalPolynomials.chebyshevU(x, degree);
    }

    /** Chebyshev's polynomial of the third kind at x, of the degree cut to a whole number; 0 for degrees below 0. */
    public static double chebyshevPolynomialV(double x, double degree) {
        return OrthogonalPolynomials.chebyshevV(x, degree);
    }

    /** Chebyshev's polynomial of the fourth kind at x, of the degree cut to a whole number; 0 for degrees below 0. */
    public static double chebyshevPolynomialW(double x, double degree) {
        return OrthogonalPolynomials.chebyshevW(x, degree);
    }

    /** Returns the physicists' Hermite polynomial at x, of the degree cut to a whole number; 0 for degrees below 0. */
    public static double hermitePolynomialH(double x, double degree) {
        return OrthogonalPolynomials.hermiteH(x, degree);
    }

    /** Returns the statisticians' Hermite polynomial at x, of the degree cut to a whole number; 0 for degrees below 0. */
    public static double hermitePolynomialHe(double x, double degree) {
        return OrthogonalPolynomials.hermiteHe(x, degree);
    }

    /** Laguerre's polynomial at x, of the degree cut to a whole number; 0 for degrees below 0. */
    public static double laguerrePolynomialL(double x, double degree) {
        return OrthogonalPolynomials.laguerre(x, degree);
    }

    /** Legendre's polynomial at x, of the degree cut to a whole number; 0 for degrees below 0. */
    public static double legendrePolynomialP(double x, double degree) {
        return OrthogonalPolynomials.legendre(x, degree);
    }
}
