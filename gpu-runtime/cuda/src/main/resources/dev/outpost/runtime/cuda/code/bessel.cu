// Bessel functions of orders 0 and 1. Chebyshev series on each interval, fitted to 30 digits with mpmath.

COEFFICIENTS(bessel_J0_SMALL)

COEFFICIENTS(bessel_J1_SMALL)

COEFFICIENTS(bessel_Y0_SMALL)

COEFFICIENTS(bessel_Y1_SMALL)

COEFFICIENTS(bessel_P0)

COEFFICIENTS(bessel_Q0)

COEFFICIENTS(bessel_P1)

COEFFICIENTS(bessel_Q1)

FN f64 bessel_p0(f64 x);
FN f64 bessel_q0(f64 x);
FN f64 bessel_p1(f64 x);
FN f64 bessel_q1(f64 x);

// The Bessel function of the first kind, order 0.
FN f64 bessel_j0(f64 x)
{
    f64 size = fabs(x);
    if (size <= 8) {
        return CHEBYSHEV(x * x / 32 - 1, bessel_J0_SMALL);
    }
    if (size == INFINITE_F64) {
        return 0;
    }
    f64 angle = size - PI / 4;
    return sqrt(2 / (PI * size)) * (bessel_p0(size) * cos(angle) - bessel_q0(size) * sin(angle));
}

// The Bessel function of the first kind, order 1; odd.
FN f64 bessel_j1(f64 x)
{
    f64 size = fabs(x);
    if (size <= 8) {
        return x * CHEBYSHEV(x * x / 32 - 1, bessel_J1_SMALL);
    }
    if (size == INFINITE_F64) {
        return 0;
    }
    f64 angle = size - 0.75 * PI;
    f64 value = sqrt(2 / (PI * size)) * (bessel_p1(size) * cos(angle) - bessel_q1(size) * sin(angle));
    return x < 0 ? -value : value;
}

// The Bessel function of the second kind, order 0: minus infinity at 0, NaN below 0.
FN f64 bessel_y0(f64 x)
{
    if (!(x > 0)) {
        return x == 0 ? -INFINITE_F64 : NAN_F64;
    }
    if (x <= 8) {
        return CHEBYSHEV(x * x / 32 - 1, bessel_Y0_SMALL) + 2 / PI * log(x) * bessel_j0(x);
    }
    if (x == INFINITE_F64) {
        return 0;
    }
    f64 angle = x - PI / 4;
    return sqrt(2 / (PI * x)) * (bessel_p0(x) * sin(angle) + bessel_q0(x) * cos(angle));
}

// The Bessel function of the second kind, order 1: minus infinity at 0, NaN below 0.
FN f64 bessel_y1(f64 x)
{
    if (!(x > 0)) {
        return x == 0 ? -INFINITE_F64 : NAN_F64;
    }
    if (x <= 8) {
        return x * CHEBYSHEV(x * x / 32 - 1, bessel_Y1_SMALL) + 2 / PI * (log(x) * bessel_j1(x) - 1 / x);
    }
    if (x == INFINITE_F64) {
        return 0;
    }
    f64 angle = x - 0.75 * PI;
    return sqrt(2 / (PI * x)) * (bessel_p1(x) * sin(angle) + bessel_q1(x) * cos(angle));
}

// The in-phase coefficient of the asymptotic form, order 0.
FN f64 bessel_p0(f64 x)
{
    f64 inverse = 8 / x;
    return CHEBYSHEV(2 * inverse * inverse - 1, bessel_P0);
}

// The out-of-phase coefficient of the asymptotic form, order 0.
FN f64 bessel_q0(f64 x)
{
    f64 inverse = 8 / x;
    return CHEBYSHEV(2 * inverse * inverse - 1, bessel_Q0) / x;
}

// The in-phase coefficient of the asymptotic form, order 1.
FN f64 bessel_p1(f64 x)
{
    f64 inverse = 8 / x;
    return CHEBYSHEV(2 * inverse * inverse - 1, bessel_P1);
}

// The out-of-phase coefficient of the asymptotic form, order 1.
FN f64 bessel_q1(f64 x)
{
    f64 inverse = 8 / x;
    return CHEBYSHEV(2 * inverse * inverse - 1, bessel_Q1) / x;
}

SPECIAL(bessel_j0, bessel_j0)
SPECIAL(bessel_j1, bessel_j1)
SPECIAL(bessel_y0, bessel_y0)
SPECIAL(bessel_y1, bessel_y1)
