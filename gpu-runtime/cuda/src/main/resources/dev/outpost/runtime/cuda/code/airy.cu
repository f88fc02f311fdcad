// The Airy function Ai and its derivative. Chebyshev series on each interval, fitted to 30 digits with mpmath.

COEFFICIENTS(airy_AI_MIDDLE)

COEFFICIENTS(airy_AIP_MIDDLE)

COEFFICIENTS(airy_AI_RIGHT)

COEFFICIENTS(airy_AIP_RIGHT)

COEFFICIENTS(airy_AI_LEFT_P)

COEFFICIENTS(airy_AI_LEFT_Q)

COEFFICIENTS(airy_AIP_LEFT_P)

COEFFICIENTS(airy_AIP_LEFT_Q)

// The argument of the exponential at 2, where the form of the right side begins.
FN f64 airy_right(void) { return 4 * sqrt(2.0) / 3; }

// The angle at -3, where the form of the left side begins.
FN f64 airy_left(void) { return 2 * sqrt(3.0); }

// Returns Ai(x).
FN f64 airy_ai(f64 x)
{
    if (x != x) {
        return x;
    }
    if (x >= -3 && x <= 2) {
        return CHEBYSHEV((2 * x + 1) / 5, airy_AI_MIDDLE);
    }
    f64 size = fabs(x);
    if (size == INFINITE_F64) {
        return 0;
    }
    f64 zeta = 2 * size * sqrt(size) / 3;
    f64 root = sqrt(sqrt(size));
    if (x > 0) {
        return CHEBYSHEV(2 * airy_right() / zeta - 1, airy_AI_RIGHT) * exp(-zeta) / root;
    }
    f64 near = 2 * airy_left() / zeta - 1;
    f64 angle = zeta + PI / 4;
    return (sin(angle) * CHEBYSHEV(near, airy_AI_LEFT_P) - cos(angle) * CHEBYSHEV(near, airy_AI_LEFT_Q)) / (sqrt(PI) * root);
}

// Returns the derivative of Ai at x.
FN f64 airy_slope(f64 x)
{
    if (x != x) {
        return x;
    }
    if (x >= -3 && x <= 2) {
        return CHEBYSHEV((2 * x + 1) / 5, airy_AIP_MIDDLE);
    }
    f64 size = fabs(x);
    if (size == INFINITE_F64) {
        return x > 0 ? 0 : NAN_F64;
    }
    f64 zeta = 2 * size * sqrt(size) / 3;
    f64 root = sqrt(sqrt(size));
    if (x > 0) {
        return CHEBYSHEV(2 * airy_right() / zeta - 1, airy_AIP_RIGHT) * exp(-zeta) * root;
    }
    f64 near = 2 * airy_left() / zeta - 1;
    f64 angle = zeta + PI / 4;
    return (sin(angle) * CHEBYSHEV(near, airy_AIP_LEFT_P) - cos(angle) * CHEBYSHEV(near, airy_AIP_LEFT_Q)) * root / sqrt(PI);
}

SPECIAL(airy_ai, airy_ai)
SPECIAL(airy_ai_slope, airy_slope)
