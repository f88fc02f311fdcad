// digamma, with the constants of Boost.Math's digamma.hpp (copyright John Maddock 2006, Boost Software License 1.0), and its
// derivatives by Euler and Maclaurin.

// The first zero above 0, in three parts whose sum is more precise than an f64.
#define digamma_ZERO_1 (1569415565.0 / 1073741824.0)

#define digamma_ZERO_2 (381566830.0 / 1073741824.0 / 1073741824.0)
#define digamma_ZERO_3 (0.9016312093258695918615325266959189453125e-19)
#define digamma_SLOPE (0.99558162689208984)

COEFFICIENTS(digamma_ZERO_ABOVE)
COEFFICIENTS(digamma_ZERO_BELOW)

// Bernoulli number 2k over 2k, for the asymptotic series.
static __device__ const f64 digamma_SERIES[] = {
    1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12
};

FN f64 digamma_from_10(f64 x)
{
    f64 inverse = 1 / (x * x);
    return log(x) - 0.5 / x - inverse * POLYNOMIAL(inverse, digamma_SERIES);
}

// digamma(x) for x from 1 to 2.
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

// From this position on, polygamma_TERMS corrections reach the precision of an f64.
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

// Returns the factorial; infinite from 171 on.
FN f64 polygamma_factorial(f64 order)
{
    f64 product = 1;
    for (f64 factor = 2; factor <= order && product < INFINITE_F64; factor++) {
        product *= factor;
    }
    return product;
}

// Returns the rest of the sum, by the Euler-Maclaurin formula.
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
    // The terms below 0 are mirrored: a sum that begins near 0, minus its terms beyond x.
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

SPECIAL(digamma, digamma_digamma)

// The Hurwitz zeta function as PyTorch bounds it: infinite for s = 1, NaN below and left of 0 for fractional s.
FN f64 polygamma_hurwitz(f64 s, f64 x)
{
    if (s == 1) {
        return INFINITE_F64;
    }
    if (!(s > 1) || x != x || (x < 0 && x != rint(x) && s != rint(s))) {
        return NAN_F64;
    }
    return polygamma_zeta(s, x);
}

PAIR_SPECIAL(polygamma, polygamma_polygamma)
PAIR_SPECIAL(zeta, polygamma_hurwitz)
