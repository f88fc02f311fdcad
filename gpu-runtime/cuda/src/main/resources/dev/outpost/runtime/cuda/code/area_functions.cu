// The inverse hyperbolic functions, after fdlibm's s_asinh.c, e_acosh.c and e_atanh.c.
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.

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
    return above < 0 ? NAN_F64 : log1p(above + sqrt(2 * above + above * above));
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

SPECIAL(asinh, area_asinh)
SPECIAL(acosh, area_acosh)
SPECIAL(atanh, area_atanh)
