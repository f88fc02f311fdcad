// erf, erfc, erfcx and erfinv, the first two after fdlibm's s_erf.c.
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.

#define erf_SMALL (0.84375)
#define erf_MIDDLE (1.25)
#define erf_LARGE (1 / 0.35)
// From here on erf_erf(x) is 1, and erf_erfc(-x) is 2.
#define erf_ERF_IS_ONE (6)
// From here on erf_erfc(x) is 0.
#define erf_ERFC_IS_ZERO (28)

// erf_erf(1), roughly: the erf_middle interval approximates the distance from it.
#define erf_NEAR_ERF_1 (8.45062911510467529297e-01)

COEFFICIENTS(erf_SMALL_ABOVE)
COEFFICIENTS(erf_SMALL_BELOW)
COEFFICIENTS(erf_MIDDLE_ABOVE)
COEFFICIENTS(erf_MIDDLE_BELOW)
COEFFICIENTS(erf_LARGE_ABOVE)
COEFFICIENTS(erf_LARGE_BELOW)
COEFFICIENTS(erf_TAIL_ABOVE)
COEFFICIENTS(erf_TAIL_BELOW)

// log(x * erf_erfc(x)) + x * x + 0.5625 for x from 1.25 on.
FN f64 erf_correction(f64 x)
{
    f64 inverse = 1 / (x * x);
    return x < erf_LARGE
            ? RATIO(inverse, erf_LARGE_ABOVE, erf_LARGE_BELOW)
            : RATIO(inverse, erf_TAIL_ABOVE, erf_TAIL_BELOW);
}

// The upper half of x's bits, whose square is exact, so that exp's argument loses nothing.
FN f64 erf_upper_half(f64 x)
{
    return __longlong_as_double(__double_as_longlong(x) & (i64) 0xffffffff00000000ULL);
}

// erf_erfc(x) for x from 1.25 on.
FN f64 erf_tail(f64 x)
{
    f64 upper = erf_upper_half(x);
    return exp(-upper * upper - 0.5625) * exp((upper - x) * (upper + x) + erf_correction(x)) / x;
}

// erf_erf(x) - erf_NEAR_ERF_1.
FN f64 erf_middle(f64 x)
{
    return RATIO(x - 1, erf_MIDDLE_ABOVE, erf_MIDDLE_BELOW);
}

// erf_erf(x) / x - 1.
FN f64 erf_small(f64 x)
{
    return RATIO(x * x, erf_SMALL_ABOVE, erf_SMALL_BELOW);
}

FN f64 erf_erfc_from_small(f64 x)
{
    if (x < erf_MIDDLE) {
        return 1 - erf_NEAR_ERF_1 - erf_middle(x);
    }
    return x < erf_ERFC_IS_ZERO ? erf_tail(x) : 0;
}

FN f64 erf_erfc_of_small(f64 x)
{
    f64 correction = x * erf_small(x);
    // From 1/4 on, x - 0.5 is exact.
    return x < 0.25 ? 1 - (x + correction) : 0.5 - (correction + (x - 0.5));
}

FN f64 erf_erf_from_small(f64 x)
{
    if (x < erf_MIDDLE) {
        return erf_NEAR_ERF_1 + erf_middle(x);
    }
    return x < erf_ERF_IS_ONE ? 1 - erf_tail(x) : 1;
}

FN f64 erf_erfc(f64 x)
{
    f64 size = fabs(x);
    if (size < erf_SMALL) {
        return erf_erfc_of_small(x);
    }
    if (x != x) {
        return x;
    }
    return x > 0 ? erf_erfc_from_small(size) : 1 + erf_erf_from_small(size);
}

FN f64 erf_erf(f64 x)
{
    f64 size = fabs(x);
    if (size < erf_SMALL) {
        return x + x * erf_small(x);
    }
    return x != x ? x : copysign(erf_erf_from_small(size), x);
}

// From erf_MIDDLE on, exp(x * x) and the decay of erf_erfc cancel, so neither is computed.
FN f64 erf_erfcx(f64 x)
{
    if (x >= erf_MIDDLE) {
        return exp(erf_correction(x) - 0.5625) / x;
    }
    if (x < -27) {
        return exp(x * x);
    }
    f64 upper = erf_upper_half(x);
    return exp(upper * upper) * exp((x - upper) * (x + upper)) * erf_erfc(x);
}

// The constants of the start, accurate to four digits, are those of PyTorch's calc_erfinv.
#define erfinv_START_CENTRE (0.7)

COEFFICIENTS(erfinv_CENTRE_ABOVE)
COEFFICIENTS(erfinv_CENTRE_BELOW)
COEFFICIENTS(erfinv_OUTER_ABOVE)
COEFFICIENTS(erfinv_OUTER_BELOW)

FN f64 erfinv_improve_inverse(f64 x, f64 y)
{
    // Near 1, erf has lost the digits that erfc still has; 1 - y is exact.
    f64 error = y < 0.5 ? erf_erf(x) - y : (1 - y) - erf_erfc(x);
    f64 newton = error / (2 / sqrt(PI) * exp(-x * x));
    return x - newton / (1 + x * newton);
}

FN f64 erfinv_start_of_inverse(f64 y)
{
    if (y <= erfinv_START_CENTRE) {
        return y * RATIO(y * y, erfinv_CENTRE_ABOVE, erfinv_CENTRE_BELOW);
    }
    return RATIO(sqrt(-log((1 - y) / 2)), erfinv_OUTER_ABOVE, erfinv_OUTER_BELOW);
}

// A rough start, then two steps of Halley's method. Each step triples the number of correct digits.
FN f64 erfinv_erfinv(f64 y)
{
    f64 size = fabs(y);
    if (size < 1) {
        f64 x = erfinv_start_of_inverse(size);
        return copysign(erfinv_improve_inverse(erfinv_improve_inverse(x, size), size), y);
    }
    return size == 1 ? copysign(INFINITE_F64, y) : NAN_F64;
}

SPECIAL(erf, erf_erf)
SPECIAL(erfc, erf_erfc)
SPECIAL(erfcx, erf_erfcx)
SPECIAL(erfinv, erfinv_erfinv)
