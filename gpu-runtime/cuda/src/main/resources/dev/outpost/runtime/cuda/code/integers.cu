// Ops on integers, each for int, which holds all narrower integers, and for 64 bits. They wrap, so sums are unsigned. A division by zero
// returns its dividend: the division is refused, and the message names the dividend, which the quotient may overwrite.

#define INTEGERS(I, U, LAST) \
    FN I neg_##I(I x) { return (I) (0 - (U) x); } \
    FN I abs_##I(I x) { return x < 0 ? (I) (0 - (U) x) : x; } \
    FN I sign_##I(I x) { return (x > 0) - (x < 0); } \
    FN I ceil_##I(I x) { return x; } \
    FN I floor_##I(I x) { return x; } \
    FN I trunc_##I(I x) { return x; } \
    FN I round_##I(I x) { return x; } \
    FN I relu_##I(I x) { return x < 0 ? 0 : x; } \
    FN i32 isnan_##I(I x) { return 0; } \
    FN i32 nonzero_##I(I x) { return x != 0; } \
    FN I bitwise_not_##I(I x) { return ~x; } \
    FN I add_##I(I x, I y) { return (I) ((U) x + (U) y); } \
    FN I sub_##I(I x, I y) { return (I) ((U) x - (U) y); } \
    FN I mul_##I(I x, I y) { return (I) ((U) x * (U) y); } \
    FN I trunc_divide_##I(I x, I y) { return y == 0 ? x : y == -1 ? neg_##I(x) : x / y; } \
    FN I fmod_##I(I x, I y) { return y == 0 ? x : y == -1 ? 0 : x % y; } \
    FN I remainder_##I(I x, I y) \
    { \
        I left = fmod_##I(x, y); \
        return left != 0 && (left < 0) != (y < 0) ? left + y : left; \
    } \
    FN I floor_divide_##I(I x, I y) \
    { \
        if (y == 0) { \
            return x; \
        } \
        I left = fmod_##I(x, y); \
        I quotient = trunc_divide_##I(x, y); \
        return left != 0 && (left < 0) != (y < 0) ? quotient - 1 : quotient; \
    } \
    FN I pow_##I(I base, I exponent) \
    { \
        if (exponent < 0) { \
            return base == 1 ? 1 : base == -1 ? ((exponent & 1) ? -1 : 1) : 0; \
        } \
        U result = 1; \
        U square = (U) base; \
        for (I rest = exponent; rest != 0; rest >>= 1) { \
            if (rest & 1) { \
                result *= square; \
            } \
            square *= square; \
        } \
        return (I) result; \
    } \
    FN I gcd_##I(I x, I y) \
    { \
        U large = (U) abs_##I(x); \
        U small = (U) abs_##I(y); \
        while (small != 0) { \
            U rest = large % small; \
            large = small; \
            small = rest; \
        } \
        return (I) large; \
    } \
    FN I maximum_##I(I x, I y) { return x > y ? x : y; } \
    FN I minimum_##I(I x, I y) { return x < y ? x : y; } \
    FN i32 eq_##I(I x, I y) { return x == y; } \
    FN i32 ne_##I(I x, I y) { return x != y; } \
    FN i32 lt_##I(I x, I y) { return x < y; } \
    FN i32 le_##I(I x, I y) { return x <= y; } \
    FN i32 gt_##I(I x, I y) { return x > y; } \
    FN i32 ge_##I(I x, I y) { return x >= y; } \
    FN I bitwise_and_##I(I x, I y) { return x & y; } \
    FN I bitwise_or_##I(I x, I y) { return x | y; } \
    FN I bitwise_xor_##I(I x, I y) { return x ^ y; } \
    FN I bitwise_left_shift_##I(I x, I count) { return count >= 0 && count <= LAST ? (I) ((U) x << count) : 0; } \
    FN I bitwise_right_shift_##I(I x, I count) { return x >> (count >= 0 && count <= LAST ? count : LAST); }

INTEGERS(i32, u32, 31)
INTEGERS(i64, u64, 63)

FN i32 logical_not_i32(i32 x) { return 1 - x; }
