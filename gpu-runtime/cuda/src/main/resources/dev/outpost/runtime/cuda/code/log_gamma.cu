// lgamma, after fdlibm's e_lgamma_r.c.
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.

static __device__ const f64 lgamma_NEAR_2_EVEN[] = {
    7.72156649015328655494e-02,
    6.73523010531292681824e-02,
    7.38555086081402883957e-03,
    1.19270763183362067845e-03,
    2.20862790713908385557e-04,
    2.52144565451257326939e-05
};
static __device__ const f64 lgamma_NEAR_2_ODD[] = {
    3.22467033424113591611e-01,
    2.05808084325167332806e-02,
    2.89051383673415629091e-03,
    5.10069792153511336608e-04,
    1.08011567247583939954e-04,
    4.48640949618915160150e-05
};

// Where lgamma_lgamma is smallest, its value there, and the value's rounding error.
#define lgamma_LOWEST (1.46163214496836224576e+00)

#define lgamma_LOWEST_VALUE (-1.21486290535849611461e-01)
#define lgamma_LOWEST_REST (-3.63867699703950536541e-18)

static __device__ const f64 lgamma_LOWEST_0[] = {
    4.83836122723810047042e-01,
    -3.27885410759859649565e-02,
    6.10053870246291332635e-03,
    -1.40346469989232843813e-03,
    3.15632070903625950361e-04
};
static __device__ const f64 lgamma_LOWEST_1[] = {
    -1.47587722994593911752e-01,
    1.79706750811820387126e-02,
    -3.68452016781138256760e-03,
    8.81081882437654011382e-04,
    -3.12754168375120860518e-04
};
static __device__ const f64 lgamma_LOWEST_2[] = {
    6.46249402391333854778e-02,
    -1.03142241298341437450e-02,
    2.25964780900612472250e-03,
    -5.38595305356740546715e-04,
    3.35529192635519073543e-04
};
static __device__ const f64 lgamma_NEAR_1_ABOVE[] = {
    -7.72156649015328655494e-02,
    6.32827064025093366517e-01,
    1.45492250137234768737e+00,
    9.77717527963372745603e-01,
    2.28963728064692451092e-01,
    1.33810918536787660377e-02
};
static __device__ const f64 lgamma_NEAR_1_BELOW[] = {
    1,
    2.45597793713041134822e+00,
    2.12848976379893395361e+00,
    7.69285150456672783825e-01,
    1.04222645593369134254e-01,
    3.21709242282423911810e-03
};
static __device__ const f64 lgamma_FROM_2_ABOVE[] = {
    -7.72156649015328655494e-02,
    2.14982415960608852501e-01,
    3.25778796408930981787e-01,
    1.46350472652464452805e-01,
    2.66422703033638609560e-02,
    1.84028451407337715652e-03,
    3.19475326584100867617e-05
};
static __device__ const f64 lgamma_FROM_2_BELOW[] = {
    1,
    1.39200533467621045958e+00,
    7.21935547567138069525e-01,
    1.71933865632803078993e-01,
    1.86459191715652901344e-02,
    7.77942496381893596434e-04,
    7.32668430744625636189e-06
};
#define lgamma_STIRLING_0 (4.18938533204672725052e-01)
static __device__ const f64 lgamma_STIRLING[] = {
    8.33333333333329678849e-02,
    -2.77777777728775536470e-03,
    7.93650558643019558500e-04,
    -5.95187557450339963135e-04,
    8.36339918996282139126e-04,
    -1.63092934096575273989e-03
};

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
    // Folded to where the sine is most exact.
    f64 folded = fabs(rest) > 0.5 ? copysign(1.0, rest) - rest : rest;
    return sin(PI * folded);
}

// From 2 to 8: down to [2, 3) by the recurrence.
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

// lgamma_lgamma(1 + above) for above from -0.1 to 1, each neighbourhood by its own approximation.
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
    // Too small for the reflection's product; there lgamma_lgamma is -log|x|.
    if (x > -0x1p-70) {
        return -log(-x);
    }
    return log(PI / fabs(lgamma_sin_pi(x) * x)) - lgamma_lgamma_of_positive(-x);
}

SPECIAL(lgamma, lgamma_lgamma)
