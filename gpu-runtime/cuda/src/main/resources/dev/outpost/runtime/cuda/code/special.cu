// The functions that CUDA lacks or has with too few digits, in double, as the runtime has them in Java: erf, erfc and lgamma
// after fdlibm's s_erf.c and e_lgamma_r.c, digamma with the constants of Boost.Math's digamma.hpp (copyright John Maddock 2006,
// Boost Software License 1.0), polygamma by Euler and Maclaurin, and the inverse hyperbolic functions after fdlibm.
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.

#define PI 3.141592653589793
#define COUNT(array) ((int) (sizeof(array) / sizeof(array[0])))

// Horner's scheme; the constant coefficient comes first.
FN f64 polynomial(f64 x, const f64 *coefficients, int count)
{
    f64 sum = coefficients[count - 1];
#pragma unroll
    for (int degree = count - 2; degree >= 0; degree--) {
        sum = coefficients[degree] + x * sum;
    }
    return sum;
}

#define POLYNOMIAL(x, array) polynomial(x, array, COUNT(array))
#define RATIO(x, above, below) (POLYNOMIAL(x, above) / POLYNOMIAL(x, below))

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

// erf_erfc(x) for x from 1.25 on.
FN f64 erf_tail(f64 x)
{
    f64 inverse = 1 / (x * x);
    f64 correction = x < erf_LARGE
            ? RATIO(inverse, erf_LARGE_ABOVE, erf_LARGE_BELOW)
            : RATIO(inverse, erf_TAIL_ABOVE, erf_TAIL_BELOW);
    // The square of the upper half of x's bits is exact, so exp's argument loses nothing.
    f64 upper = __longlong_as_double(__double_as_longlong(x) & (i64) 0xffffffff00000000ULL);
    return exp(-upper * upper - 0.5625) * exp((upper - x) * (upper + x) + correction) / x;
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

// The zero right of 0, in three parts that add up beyond a f64.
#define digamma_ZERO_1 (1569415565.0 / 1073741824.0)

#define digamma_ZERO_2 (381566830.0 / 1073741824.0 / 1073741824.0)
#define digamma_ZERO_3 (0.9016312093258695918615325266959189453125e-19)
#define digamma_SLOPE (0.99558162689208984)

static __device__ const f64 digamma_ZERO_ABOVE[] = {
    0.25479851061131551,
    -0.32555031186804491,
    -0.65031853770896507,
    -0.28919126444774784,
    -0.045251321448739056,
    -0.0020713321167745952
};
static __device__ const f64 digamma_ZERO_BELOW[] = {
    1.0,
    2.0767117023730469,
    1.4606242909763515,
    0.43593529692665969,
    0.054151797245674225,
    0.0021284987017821144,
    -0.55789841321675513e-6
};

// Bernoulli number 2k over 2k, for the asymptotic series.
static __device__ const f64 digamma_SERIES[] = {
    1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12
};

FN f64 digamma_from_10(f64 x)
{
    f64 inverse = 1 / (x * x);
    return log(x) - 0.5 / x - inverse * POLYNOMIAL(inverse, digamma_SERIES);
}

// For x from 1 to 2.
FN f64 digamma_near_zero(f64 x)
{
    f64 distance = x - digamma_ZERO_1 - digamma_ZERO_2 - digamma_ZERO_3;
    return distance * digamma_SLOPE + distance * RATIO(x - 1, digamma_ZERO_ABOVE, digamma_ZERO_BELOW);
}

FN f64 digamma_of_positive(f64 x)
{
    if (!(x < 10)) {
        return digamma_from_10(x);
    }
    f64 sum = 0;
    f64 rest = x;
    while (rest > 2) {
        rest -= 1;
        sum += 1 / rest;
    }
    return rest < 1 ? digamma_near_zero(rest + 1) - 1 / rest : sum + digamma_near_zero(rest);
}

FN f64 digamma_digamma(f64 x)
{
    if (x == 0) {
        return copysign(INFINITE_F64, -x);
    }
    if (x > 0 || x != x) {
        return digamma_of_positive(x);
    }
    if (x == rint(x)) {
        return NAN_F64;
    }
    f64 fraction = remainder(x, 1);
    return digamma_of_positive(1 - x) - PI / tan(PI * fraction);
}

// Beyond this the corrections fall below a f64's precision.
#define polygamma_FAR (12)

#define polygamma_TERMS (10)

// The Bernoulli numbers B2, B4, … over (2j)!.
static __device__ const f64 polygamma_BERNOULLI_OVER_FACTORIAL[] = {
    0.08333333333333334,
    -0.0013888888888888874,
    3.3068783068783024e-05,
    -8.267195767195671e-07,
    2.087675698786775e-08,
    -5.284190138687449e-10,
    1.3382536530684543e-11,
    -3.3896802963225413e-13,
    8.586062056277757e-15,
    -2.1748686985580476e-16
};

// Infinite from 171 on.
FN f64 polygamma_factorial(f64 order)
{
    f64 product = 1;
    for (f64 factor = 2; factor <= order && product < INFINITE_F64; factor++) {
        product *= factor;
    }
    return product;
}

// What is left of the sum, by Euler and Maclaurin.
FN f64 polygamma_tail(f64 s, f64 position)
{
    f64 power = pow(position, -s);
    f64 sum = power * position / (s - 1) + power / 2;
    f64 rising = s;
    f64 scaled = power / position;
    for (int term = 0; term < polygamma_TERMS; term++) {
        sum += polygamma_BERNOULLI_OVER_FACTORIAL[term] * rising * scaled;
        rising *= (s + 2 * term + 1) * (s + 2 * term + 2);
        scaled /= position * position;
    }
    return sum;
}

FN f64 polygamma_zeta_of_positive(f64 s, f64 x)
{
    if (x == INFINITE_F64) {
        return 0;
    }
    f64 sum = 0;
    f64 position = x;
    for (; position < polygamma_FAR; position++) {
        sum += pow(position, -s);
    }
    return sum + polygamma_tail(s, position);
}

// The sum over k from 0 of (x + k) to the power of -s, for whole s from 2; infinite at 0, -1, -2, …
FN f64 polygamma_zeta(f64 s, f64 x)
{
    if (x > 0) {
        return polygamma_zeta_of_positive(s, x);
    }
    if (x == rint(x)) {
        return INFINITE_F64;
    }
    // The terms left of 0 mirrored: a sum that begins near 0, less what lies beyond x.
    f64 fraction = x - floor(x);
    f64 mirrored = polygamma_zeta_of_positive(s, 1 - fraction) - polygamma_zeta_of_positive(s, 1 - x);
    return polygamma_zeta_of_positive(s, fraction) + (fmod(s, 2.0) == 0 ? mirrored : -mirrored);
}

// The derivative of digamma of that order, a whole number; order 0 is digamma itself, others below 1 are NaN.
FN f64 polygamma_polygamma(f64 order, f64 x)
{
    if (order == 0) {
        return digamma_digamma(x);
    }
    if (order < 0 || order != rint(order)) {
        return NAN_F64;
    }
    f64 sign = fmod(order, 2.0) == 0 ? -1 : 1;
    return sign * polygamma_factorial(order) * polygamma_zeta(order + 1, x);
}


// The inverse hyperbolic functions, after s_asinh.c, e_acosh.c and e_atanh.c.

#define TINY 3.725290298461914e-09
#define LN_2 0.6931471805599453

FN f64 asinh_of_positive(f64 x)
{
    if (x > 1 / TINY) {
        return log(x) + LN_2;
    }
    f64 square = x * x;
    f64 root = sqrt(square + 1);
    return x > 2 ? log(2 * x + 1 / (root + x)) : log1p(x + square / (1 + root));
}

FN f64 area_asinh(f64 x)
{
    f64 size = fabs(x);
    return size < TINY ? x : copysign(asinh_of_positive(size), x);
}

FN f64 area_acosh(f64 x)
{
    if (x > 1 / TINY) {
        return log(x) + LN_2;
    }
    if (x > 2) {
        return log(2 * x - 1 / (x + sqrt(x * x - 1)));
    }
    f64 above = x - 1;
    return log1p(above + sqrt(2 * above + above * above));
}

FN f64 area_atanh(f64 x)
{
    f64 size = fabs(x);
    if (size < TINY) {
        return x;
    }
    f64 twice = 2 * size;
    f64 ratio = size < 0.5 ? twice + twice * size / (1 - size) : twice / (1 - size);
    return copysign(0.5 * log1p(ratio), x);
}

#define SPECIAL(name, function) \
    FN f64 name##_f64(f64 x) { return function(x); } \
    FN f32 name##_f32(f32 x) { return (f32) function((f64) x); }

SPECIAL(erf, erf_erf)
SPECIAL(erfc, erf_erfc)
SPECIAL(erfinv, erfinv_erfinv)
SPECIAL(lgamma, lgamma_lgamma)
SPECIAL(digamma, digamma_digamma)
SPECIAL(asinh, area_asinh)
SPECIAL(acosh, area_acosh)
SPECIAL(atanh, area_atanh)

FN f64 polygamma_f64(f64 order, f64 x) { return polygamma_polygamma(order, x); }
FN f32 polygamma_f32(f32 order, f32 x) { return (f32) polygamma_polygamma(order, x); }
