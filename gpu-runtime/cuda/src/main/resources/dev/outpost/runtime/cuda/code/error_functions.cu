// erf, erfc, erfcx and erfinv, the first two after fdlibm's s_erf.c.
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.

#define erf_SMALL (0.84375)
#define erf_MIDDLE (1.25)
#define erf_LARGE (1 / 0.35)
// From here on erf_erf is 1, and erf_erfc is 2 on the left.
#define erf_ERF_IS_ONE (6)
// From here on erf_erfc is 0.
#define erf_ERFC_IS_ZERO (28)

// erf_erf(1), roughly: the erf_middle interval approximates the distance from it.
#define erf_NEAR_ERF_1 (8.45062911510467529297e-01)

static __device__ const f64 erf_SMALL_ABOVE[] = {
    1.28379167095512558561e-01,
    -3.25042107247001499370e-01,
    -2.84817495755985104766e-02,
    -5.77027029648944159157e-03,
    -2.37630166566501626084e-05
};
static __device__ const f64 erf_SMALL_BELOW[] = {
    1,
    3.97917223959155352819e-01,
    6.50222499887672944485e-02,
    5.08130628187576562776e-03,
    1.32494738004321644526e-04,
    -3.96022827877536812320e-06
};
static __device__ const f64 erf_MIDDLE_ABOVE[] = {
    -2.36211856075265944077e-03,
    4.14856118683748331666e-01,
    -3.72207876035701323847e-01,
    3.18346619901161753674e-01,
    -1.10894694282396677476e-01,
    3.54783043256182359371e-02,
    -2.16637559486879084300e-03
};
static __device__ const f64 erf_MIDDLE_BELOW[] = {
    1,
    1.06420880400844228286e-01,
    5.40397917702171048937e-01,
    7.18286544141962662868e-02,
    1.26171219808761642112e-01,
    1.36370839120290507362e-02,
    1.19844998467991074170e-02
};
static __device__ const f64 erf_LARGE_ABOVE[] = {
    -9.86494403484714822705e-03,
    -6.93858572707181764372e-01,
    -1.05586262253232909814e+01,
    -6.23753324503260060396e+01,
    -1.62396669462573470355e+02,
    -1.84605092906711035994e+02,
    -8.12874355063065934246e+01,
    -9.81432934416914548592e+00
};
static __device__ const f64 erf_LARGE_BELOW[] = {
    1,
    1.96512716674392571292e+01,
    1.37657754143519042600e+02,
    4.34565877475229228821e+02,
    6.45387271733267880336e+02,
    4.29008140027567833386e+02,
    1.08635005541779435134e+02,
    6.57024977031928170135e+00,
    -6.04244152148580987438e-02
};
static __device__ const f64 erf_TAIL_ABOVE[] = {
    -9.86494292470009928597e-03,
    -7.99283237680523006574e-01,
    -1.77579549177547519889e+01,
    -1.60636384855821916062e+02,
    -6.37566443368389627722e+02,
    -1.02509513161107724954e+03,
    -4.83519191608651397019e+02
};
static __device__ const f64 erf_TAIL_BELOW[] = {
    1,
    3.03380607434824582924e+01,
    3.25792512996573918826e+02,
    1.53672958608443695994e+03,
    3.19985821950859553908e+03,
    2.55305040643316442583e+03,
    4.74528541206955367215e+02,
    -2.24409524465858183362e+01
};

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
    // Beyond 1/4 the leading 1/2 is exact beside what is subtracted from it.
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

// On the right the falling off of erf_erfc cancels before it is computed.
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

// The start's constants, good to four digits, are those of PyTorch's calc_erfinv.
#define erfinv_START_CENTRE (0.7)

static __device__ const f64 erfinv_CENTRE_ABOVE[] = {0.886226899, -1.645349621, 0.914624893, -0.140543331};
static __device__ const f64 erfinv_CENTRE_BELOW[] = {1, -2.118377725, 1.442710462, -0.329097515, 0.012229801};
static __device__ const f64 erfinv_OUTER_ABOVE[] = {-1.970840454, -1.624906493, 3.429567803, 1.641345311};
static __device__ const f64 erfinv_OUTER_BELOW[] = {1, 3.543889200, 1.637067800};

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

// A rough start, then two of Halley's steps, each of which triples the good digits.
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
