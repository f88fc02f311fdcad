// Orthogonal polynomials at x. The degree is truncated to a whole number. A degree below 0 gives 0, and a degree of NaN gives NaN. The
// recurrences end at an overflow, and give NaN after MOST steps. Between -1 and 1, Chebyshev polynomials of higher degrees are computed by
// the cosine.

#define BY_COSINE 9
#define MOST (1 << 16)

FN f64 orthogonal_whole(f64 degree)
{
    return degree < 0 ? ceil(degree) : floor(degree);
}

// Returns the value at 1, or the value at -1 with the sign of the parity of the degree.
FN f64 orthogonal_end(f64 x, f64 degree, f64 at_one, f64 at_minus_one)
{
    return x > 0 ? at_one : fmod(degree, 2.0) == 0 ? at_minus_one : -at_minus_one;
}

#define ORTHOGONAL(name, LINEAR, NEXT) \
    FN f64 name(f64 x, f64 n) \
    { \
        if (!(n >= 1)) { \
            return n < 0 ? 0.0 : n == 0 ? 1.0 : n; \
        } \
        f64 before = 1; \
        f64 last = LINEAR; \
        for (f64 k = 1; k < n && fabs(last) <= 1.7976931348623157e308; k++) { \
            if (k > MOST) { \
                return NAN_F64; \
            } \
            f64 next = NEXT; \
            before = last; \
            last = next; \
        } \
        return last; \
    }

ORTHOGONAL(orthogonal_t, x, 2 * x * last - before)
ORTHOGONAL(orthogonal_u, 2 * x, 2 * x * last - before)
ORTHOGONAL(orthogonal_v, 2 * x - 1, 2 * x * last - before)
ORTHOGONAL(orthogonal_w, 2 * x + 1, 2 * x * last - before)
ORTHOGONAL(orthogonal_h, 2 * x, 2 * x * last - 2 * k * before)
ORTHOGONAL(orthogonal_he, x, x * last - k * before)
ORTHOGONAL(orthogonal_l, 1 - x, ((2 * k + 1 - x) * last - k * before) / (k + 1))
ORTHOGONAL(orthogonal_p, x, ((2 * k + 1) * x * last - k * before) / (k + 1))

FN f64 orthogonal_chebyshev_t(f64 x, f64 degree)
{
    f64 n = orthogonal_whole(degree);
    return n >= BY_COSINE && fabs(x) <= 1 ? cos(n * acos(x)) : orthogonal_t(x, n);
}

FN f64 orthogonal_chebyshev_u(f64 x, f64 degree)
{
    f64 n = orthogonal_whole(degree);
    if (n >= BY_COSINE && fabs(x) <= 1) {
        f64 sine = sqrt((1 - x) * (1 + x));
        return sine == 0 ? orthogonal_end(x, n, n + 1, n + 1) : sin((n + 1) * acos(x)) / sine;
    }
    return orthogonal_u(x, n);
}

FN f64 orthogonal_chebyshev_v(f64 x, f64 degree)
{
    f64 n = orthogonal_whole(degree);
    if (n >= BY_COSINE && fabs(x) <= 1) {
        f64 angle = acos(x);
        return x == -1 ? orthogonal_end(x, n, 1, 2 * n + 1) : cos((n + 0.5) * angle) / cos(angle / 2);
    }
    return orthogonal_v(x, n);
}

FN f64 orthogonal_chebyshev_w(f64 x, f64 degree)
{
    f64 n = orthogonal_whole(degree);
    if (n >= BY_COSINE && fabs(x) <= 1) {
        f64 angle = acos(x);
        return x == 1 ? 2 * n + 1 : sin((n + 0.5) * angle) / sin(angle / 2);
    }
    return orthogonal_w(x, n);
}

FN f64 orthogonal_hermite_h(f64 x, f64 degree) { return orthogonal_h(x, orthogonal_whole(degree)); }
FN f64 orthogonal_hermite_he(f64 x, f64 degree) { return orthogonal_he(x, orthogonal_whole(degree)); }
FN f64 orthogonal_laguerre(f64 x, f64 degree) { return orthogonal_l(x, orthogonal_whole(degree)); }
FN f64 orthogonal_legendre(f64 x, f64 degree) { return orthogonal_p(x, orthogonal_whole(degree)); }

PAIR_SPECIAL(chebyshev_polynomial_t, orthogonal_chebyshev_t)
PAIR_SPECIAL(chebyshev_polynomial_u, orthogonal_chebyshev_u)
PAIR_SPECIAL(chebyshev_polynomial_v, orthogonal_chebyshev_v)
PAIR_SPECIAL(chebyshev_polynomial_w, orthogonal_chebyshev_w)
PAIR_SPECIAL(hermite_polynomial_h, orthogonal_hermite_h)
PAIR_SPECIAL(hermite_polynomial_he, orthogonal_hermite_he)
PAIR_SPECIAL(laguerre_polynomial_l, orthogonal_laguerre)
PAIR_SPECIAL(legendre_polynomial_p, orthogonal_legendre)
