// The regularized incomplete gamma functions: the series of DLMF 8.11.4, and the continued fraction of 8.9.2 by Lentz.


FN f64 incomplete_limit(f64 a, f64 x);
FN f64 incomplete_series(f64 a, f64 x);
FN f64 incomplete_fraction(f64 a, f64 x);
FN f64 incomplete_power(f64 a, f64 x);

// Returns the share of the integral below x.
FN f64 incomplete_lower(f64 a, f64 x)
{
    f64 limit = incomplete_limit(a, x);
    if (limit == limit || !(a > 0 && x > 0)) {
        return limit;
    }
    return x <= a + 1 ? incomplete_series(a, x) : 1 - incomplete_fraction(a, x);
}

// Returns the share of the integral above x.
FN f64 incomplete_upper(f64 a, f64 x)
{
    f64 limit = incomplete_limit(a, x);
    if (limit == limit || !(a > 0 && x > 0)) {
        return 1 - limit;
    }
    return x <= a + 1 ? 1 - incomplete_series(a, x) : incomplete_fraction(a, x);
}

// Returns the known values of the lower function at the ends of its domain; NaN outside of its domain, and if the value must be computed.
FN f64 incomplete_limit(f64 a, f64 x)
{
    if (!(a >= 0 && x >= 0) || (a == 0 && x == 0) || (a == INFINITE_F64 && x == INFINITE_F64)) {
        return NAN_F64;
    }
    if (a == INFINITE_F64 || x == 0) {
        return 0;
    }
    return a == 0 || x == INFINITE_F64 ? 1 : NAN_F64;
}

// x to the a, times exp(-x), over the gamma function of a.
FN f64 incomplete_power(f64 a, f64 x)
{
    if (a < 100) {
        return exp(a * log(x) - x - lgamma_lgamma(a));
    }
    f64 beyond = (x - a) / a;
    f64 inverse = 1 / (a * a);
    f64 correction = (1.0 / 12 - inverse * (1.0 / 360 - inverse / 1260)) / a;
    return exp(a * (log1p(beyond) - beyond) - correction) * sqrt(a / (2 * PI));
}

// The lower function for x up to a + 1.
FN f64 incomplete_series(f64 a, f64 x)
{
    f64 term = 1 / a;
    f64 sum = term;
    for (int step = 1; step < 20000 && term > sum * 1e-17; step++) {
        term *= x / (a + step);
        sum += term;
    }
    return sum * incomplete_power(a, x);
}

// The upper function for x from a + 1 on.
FN f64 incomplete_fraction(f64 a, f64 x)
{
    f64 b = x + 1 - a;
    f64 c = 1e300;
    f64 d = 1 / b;
    f64 value = d;
    f64 change = 0;
    for (int step = 1; step < 20000 && fabs(change - 1) > 1e-16; step++) {
        f64 above = -step * (step - a);
        b += 2;
        d = 1 / (above * d + b);
        c = b + above / c;
        change = c * d;
        value *= change;
    }
    return value * incomplete_power(a, x);
}

PAIR_SPECIAL(igamma, incomplete_lower)
PAIR_SPECIAL(igammac, incomplete_upper)
