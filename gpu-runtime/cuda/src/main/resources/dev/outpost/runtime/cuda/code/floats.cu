// Ops on floating-point numbers, each for float and for double. If a float function of CUDA is off by more than two units in the last
// place, the op computes in double.

#define FLOATS(F, C) \
    FN F neg_##F(F x) { return -x; } \
    FN F abs_##F(F x) { return fabs##C(x); } \
    FN F sign_##F(F x) { return x > 0 ? (F) 1 : x < 0 ? (F) -1 : (F) 0; } \
    FN F ceil_##F(F x) { return ceil##C(x); } \
    FN F floor_##F(F x) { return floor##C(x); } \
    FN F trunc_##F(F x) { return trunc##C(x); } \
    FN F round_##F(F x) { return rint##C(x); } \
    FN F relu_##F(F x) { return x <= 0 ? (F) 0 : x; } \
    FN F sqrt_##F(F x) { return sqrt##C(x); } \
    FN F rsqrt_##F(F x) { return (F) 1 / sqrt##C(x); } \
    FN F exp_##F(F x) { return exp##C(x); } \
    FN F exp2_##F(F x) { return exp2##C(x); } \
    FN F expm1_##F(F x) { return expm1##C(x); } \
    FN F log_##F(F x) { return log##C(x); } \
    FN F log2_##F(F x) { return log2##C(x); } \
    FN F log10_##F(F x) { return log10##C(x); } \
    FN F log1p_##F(F x) { return log1p##C(x); } \
    FN F sin_##F(F x) { return sin##C(x); } \
    FN F cos_##F(F x) { return cos##C(x); } \
    FN F tanh_##F(F x) { return tanh##C(x); } \
    FN F sigmoid_##F(F x) \
    { \
        F power = exp##C(x >= 0 ? -x : x); \
        return x >= 0 ? (F) 1 / (1 + power) : power / (1 + power); \
    } \
    FN i32 isnan_##F(F x) { return x != x; } \
    FN i32 nonzero_##F(F x) { return x != 0; } \
    FN F add_##F(F x, F y) { return x + y; } \
    FN F sub_##F(F x, F y) { return x - y; } \
    FN F mul_##F(F x, F y) { return x * y; } \
    FN F div_##F(F x, F y) { return x / y; } \
    FN F fmod_##F(F x, F y) { return fmod##C(x, y); } \
    FN F remainder_##F(F x, F y) \
    { \
        F left = fmod##C(x, y); \
        return left != 0 && (left < 0) != (y < 0) ? left + y : left; \
    } \
    FN F maximum_##F(F x, F y) \
    { \
        if (x != x || y != y) { \
            return x + y; \
        } \
        if (x == y) { \
            return signbit(x) ? y : x; \
        } \
        return x > y ? x : y; \
    } \
    FN F minimum_##F(F x, F y) \
    { \
        if (x != x || y != y) { \
            return x + y; \
        } \
        if (x == y) { \
            return signbit(x) ? x : y; \
        } \
        return x < y ? x : y; \
    } \
    FN F copysign_##F(F x, F y) { return copysign##C(x, y); } \
    FN F nextafter_##F(F x, F y) { return nextafter##C(x, y); } \
    FN i32 eq_##F(F x, F y) { return x == y; } \
    FN i32 ne_##F(F x, F y) { return x != y; } \
    FN i32 lt_##F(F x, F y) { return x < y; } \
    FN i32 le_##F(F x, F y) { return x <= y; } \
    FN i32 gt_##F(F x, F y) { return x > y; } \
    FN i32 ge_##F(F x, F y) { return x >= y; }

FLOATS(f32, f)
FLOATS(f64, )

#define IN_DOUBLE(name, function) \
    FN f64 name##_f64(f64 x) { return function(x); } \
    FN f32 name##_f32(f32 x) { return (f32) function((f64) x); }

IN_DOUBLE(tan, tan)
IN_DOUBLE(asin, asin)
IN_DOUBLE(acos, acos)
IN_DOUBLE(atan, atan)
IN_DOUBLE(sinh, sinh)
IN_DOUBLE(cosh, cosh)

#define PAIR_IN_DOUBLE(name, function) \
    FN f64 name##_f64(f64 x, f64 y) { return function(x, y); } \
    FN f32 name##_f32(f32 x, f32 y) { return (f32) function((f64) x, (f64) y); }

PAIR_IN_DOUBLE(pow, pow)
PAIR_IN_DOUBLE(atan2, atan2)
PAIR_IN_DOUBLE(hypot, hypot)

FN f64 truncated_quotient(f64 x, f64 y) { return trunc(x / y); }

// Not floor(x / y), which is wrong if the quotient rounds up to an integer.
FN f64 floored_quotient(f64 x, f64 y)
{
    if (y == 0) {
        return x / y;
    }
    f64 left = fmod(x, y);
    f64 quotient = (x - left) / y;
    if (left != 0 && (left < 0) != (y < 0)) {
        quotient -= 1;
    }
    if (quotient == 0) {
        return copysign(0.0, x / y);
    }
    f64 floored = floor(quotient);
    return quotient - floored > 0.5 ? floored + 1 : floored;
}

PAIR_IN_DOUBLE(trunc_divide, truncated_quotient)
PAIR_IN_DOUBLE(floor_divide, floored_quotient)

// Sign and magnitude: in both 16-bit formats the next larger magnitude is the next larger pattern.
FN u16 neighbour(f32 x, u16 bits, f32 y, u16 other)
{
    if (x != x) {
        return bits;
    }
    if (y != y || x == y) {
        return other;
    }
    if (x == 0) {
        return y < 0 ? 0x8001 : 1;
    }
    return (u16) ((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

FN f32 nextafter_f16(f32 x, f32 y) { return f16_load(neighbour(x, f16_store(x), y, f16_store(y))); }
FN f32 nextafter_bf16(f32 x, f32 y) { return bf16_load(neighbour(x, bf16_store(x), y, bf16_store(y))); }
