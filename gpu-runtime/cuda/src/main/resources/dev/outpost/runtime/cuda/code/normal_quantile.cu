// The quantile of a standard normal. Chebyshev series on each interval, fitted to 30 digits with mpmath.

COEFFICIENTS(quantile_QUANTILE)

COEFFICIENTS(quantile_QUANTILE_FAR)

FN f64 quantile_beyond(f64 share);

// Returns the quantile of a standard normal for the share p; infinite at 0 and 1, NaN outside.
FN f64 quantile_ndtri(f64 p)
{
    if (!(p > 0 && p < 1)) {
        return p == 0 ? -INFINITE_F64 : p == 1 ? INFINITE_F64 : NAN_F64;
    }
    if (p > 0.0261 && p < 0.9739) {
        return sqrt(2.0) * erfinv_erfinv(2 * p - 1);
    }
    return p < 0.5 ? -quantile_beyond(p) : quantile_beyond(1 - p);
}

// Returns the distance from 0 at which the tail with this share begins.
FN f64 quantile_beyond(f64 share)
{
    f64 r = sqrt(-2 * log(share));
    f64 below = r <= 8 ? CHEBYSHEV((2 * r - 10.7) / 5.3, quantile_QUANTILE) : CHEBYSHEV((2 * r - 47) / 31, quantile_QUANTILE_FAR);
    return r - below / r;
}

SPECIAL(ndtri, quantile_ndtri)
