// lgamma, after fdlibm's e_lgamma_r.c.
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.

COEFFICIENTS(lgamma_NEAR_2_EVEN)
COEFFICIENTS(lgamma_NEAR_2_ODD)

// The position of the minimum of lgamma_lgamma, its value, and the rounding error of the value.
#define lgamma_LOWEST (1.46163214496836224576e+00)

#define lgamma_LOWEST_VALUE (-1.21486290535849611461e-01)
#define lgamma_LOWEST_REST (-3.63867699703950536541e-18)

COEFFICIENTS(lgamma_LOWEST_0)
COEFFICIENTS(lgamma_LOWEST_1)
COEFFICIENTS(lgamma_LOWEST_2)
COEFFICIENTS(lgamma_NEAR_1_ABOVE)
COEFFICIENTS(lgamma_NEAR_1_BELOW)
COEFFICIENTS(lgamma_FROM_2_ABOVE)
COEFFICIENTS(lgamma_FROM_2_BELOW)
#define lgamma_STIRLING_0 (4.18938533204672725052e-01)
COEFFICIENTS(lgamma_STIRLING)

FN f64 lgamma_lgamma_from_8(f64 x)
{
    f64 logarithm = log(x);
    if (x >= 0x1p58) {
        return x * (logarithm - 1);
    }
    f64 inverse = 1 / x;
    f64 correction = lgamma_STIRLING_0 + inverse * POLYNOMIAL(inverse * inverse, lgamma_STIRLING);
    return (x - 0.5) * (logarithm - 1) + correction;
}

/** sin(pi * x), exact in the reduction of its argument. */
FN f64 lgamma_sin_pi(f64 x)
{
    f64 rest = remainder(x, 2);
    // Folds into the range in which the sine is most exact.
    f64 folded = fabs(rest) > 0.5 ? copysign(1.0, rest) - rest : rest;
    return sin(PI * folded);
}

// For x from 2 to 8. The recurrence reduces it to [2, 3).
FN f64 lgamma_lgamma_from_2(f64 x)
{
    int whole = (int) x;
    f64 y = x - whole;
    f64 product = 1;
    for (int step = 2; step < whole; step++) {
        product *= y + step;
    }
    f64 near = 0.5 * y + y * RATIO(y, lgamma_FROM_2_ABOVE, lgamma_FROM_2_BELOW);
    return near + log(product);
}

FN f64 lgamma_near_1(f64 y)
{
    // Without the 0 that is added, lgamma_lgamma(1) would be -0.
    return y * RATIO(y, lgamma_NEAR_1_ABOVE, lgamma_NEAR_1_BELOW) - 0.5 * y + 0.0;
}

FN f64 lgamma_near_lowest(f64 y)
{
    f64 z = y * y;
    f64 w = z * y;
    f64 p0 = POLYNOMIAL(w, lgamma_LOWEST_0);
    f64 p1 = POLYNOMIAL(w, lgamma_LOWEST_1);
    f64 p2 = POLYNOMIAL(w, lgamma_LOWEST_2);
    return lgamma_LOWEST_VALUE + (z * p0 - (lgamma_LOWEST_REST - w * (p1 + y * p2)));
}

FN f64 lgamma_near_2(f64 y)
{
    f64 z = y * y;
    f64 even = POLYNOMIAL(z, lgamma_NEAR_2_EVEN);
    f64 odd = z * POLYNOMIAL(z, lgamma_NEAR_2_ODD);
    return y * even + odd - 0.5 * y;
}

// lgamma_lgamma(1 + above) for above from -0.1 to 1. Each neighbourhood has its own approximation.
FN f64 lgamma_lgamma_below_2(f64 above)
{
    if (above >= 0.7316) {
        return lgamma_near_2(1 - above);
    }
    return above >= 0.2316 ? lgamma_near_lowest(above - (lgamma_LOWEST - 1)) : lgamma_near_1(above);
}

FN f64 lgamma_lgamma_of_positive(f64 x)
{
    if (x < 0x1p-70) {
        return -log(x);
    }
    if (x < 2) {
        return x <= 0.9 ? lgamma_lgamma_below_2(x) - log(x) : lgamma_lgamma_below_2(x - 1);
    }
    return x < 8 ? lgamma_lgamma_from_2(x) : lgamma_lgamma_from_8(x);
}

FN f64 lgamma_lgamma(f64 x)
{
    if (x > 0) {
        return lgamma_lgamma_of_positive(x);
    }
    if (x != x) {
        return x;
    }
    if (x == rint(x)) {
        return INFINITE_F64;
    }
    // x is too small for the product of the reflection; here lgamma_lgamma(x) is -log|x|.
    if (x > -0x1p-70) {
        return -log(-x);
    }
    return log(PI / fabs(lgamma_sin_pi(x) * x)) - lgamma_lgamma_of_positive(-x);
}

SPECIAL(lgamma, lgamma_lgamma)
