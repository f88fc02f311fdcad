// Modified Bessel functions of orders 0 and 1. Chebyshev series on each interval, fitted to 30 digits with mpmath.

COEFFICIENTS(modified_I0_SMALL)

COEFFICIENTS(modified_I1_SMALL)

COEFFICIENTS(modified_I0_LARGE)

COEFFICIENTS(modified_I1_LARGE)

COEFFICIENTS(modified_K0_SMALL)

COEFFICIENTS(modified_K1_SMALL)

COEFFICIENTS(modified_K0_LARGE)

COEFFICIENTS(modified_K1_LARGE)

FN f64 modified_near_0(f64 x);
FN f64 modified_far_0(f64 x);
FN f64 modified_near_1(f64 x);
FN f64 modified_far_1(f64 x);
FN f64 modified_i0e(f64 x);
FN f64 modified_i1e(f64 x);

// The modified Bessel function of the first kind, order 0.
FN f64 modified_i0(f64 x)
{
    f64 half = exp(fabs(x) / 2);
    return half * modified_i0e(x) * half;
}

// The modified Bessel function of the first kind, order 0, times exp(-|x|).
FN f64 modified_i0e(f64 x)
{
    f64 size = fabs(x);
    return size <= 8 ? CHEBYSHEV(size / 4 - 1, modified_I0_SMALL) : CHEBYSHEV(16 / size - 1, modified_I0_LARGE) / sqrt(size);
}

// The modified Bessel function of the first kind, order 1.
FN f64 modified_i1(f64 x)
{
    f64 half = exp(fabs(x) / 2);
    return half * modified_i1e(x) * half;
}

// The modified Bessel function of the first kind, order 1, times exp(-|x|).
FN f64 modified_i1e(f64 x)
{
    f64 size = fabs(x);
    if (size <= 8) {
        return x * CHEBYSHEV(size / 4 - 1, modified_I1_SMALL);
    }
    f64 value = CHEBYSHEV(16 / size - 1, modified_I1_LARGE) / sqrt(size);
    return x < 0 ? -value : value;
}

// The modified Bessel function of the second kind, order 0: infinite at 0, NaN below 0.
FN f64 modified_k0(f64 x)
{
    if (!(x > 0)) {
        return x == 0 ? INFINITE_F64 : NAN_F64;
    }
    return x <= 2 ? modified_near_0(x) : exp(-x) * modified_far_0(x);
}

// The modified Bessel function of the second kind, order 0, times exp(x).
FN f64 modified_k0e(f64 x)
{
    if (!(x > 0)) {
        return x == 0 ? INFINITE_F64 : NAN_F64;
    }
    return x <= 2 ? exp(x) * modified_near_0(x) : modified_far_0(x);
}

// The modified Bessel function of the second kind, order 1: infinite at 0, NaN below 0.
FN f64 modified_k1(f64 x)
{
    if (!(x > 0)) {
        return x == 0 ? INFINITE_F64 : NAN_F64;
    }
    return x <= 2 ? modified_near_1(x) : exp(-x) * modified_far_1(x);
}

// The modified Bessel function of the second kind, order 1, times exp(x).
FN f64 modified_k1e(f64 x)
{
    if (!(x > 0)) {
        return x == 0 ? INFINITE_F64 : NAN_F64;
    }
    return x <= 2 ? exp(x) * modified_near_1(x) : modified_far_1(x);
}

// The modified Bessel function of the second kind, order 0, up to 2.
FN f64 modified_near_0(f64 x)
{
    return CHEBYSHEV(x * x / 2 - 1, modified_K0_SMALL) - log(x / 2) * modified_i0(x);
}

// The modified Bessel function of the second kind, order 0, times exp(x), from 2 on.
FN f64 modified_far_0(f64 x)
{
    return x == INFINITE_F64 ? 0 : CHEBYSHEV(4 / x - 1, modified_K0_LARGE) / sqrt(x);
}

// The modified Bessel function of the second kind, order 1, up to 2.
FN f64 modified_near_1(f64 x)
{
    return CHEBYSHEV(x * x / 2 - 1, modified_K1_SMALL) / x + log(x / 2) * modified_i1(x);
}

// The modified Bessel function of the second kind, order 1, times exp(x), from 2 on.
FN f64 modified_far_1(f64 x)
{
    return x == INFINITE_F64 ? 0 : CHEBYSHEV(4 / x - 1, modified_K1_LARGE) / sqrt(x);
}

SPECIAL(i0, modified_i0)
SPECIAL(i0e, modified_i0e)
SPECIAL(i1, modified_i1)
SPECIAL(i1e, modified_i1e)
SPECIAL(modified_bessel_k0, modified_k0)
SPECIAL(modified_bessel_k1, modified_k1)
SPECIAL(scaled_modified_bessel_k0, modified_k0e)
SPECIAL(scaled_modified_bessel_k1, modified_k1e)
