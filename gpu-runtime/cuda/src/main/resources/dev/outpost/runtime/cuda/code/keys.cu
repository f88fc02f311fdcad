// Unsigned keys that have the order of the numbers: NaN is the largest, and both zeros have the same key. The keys are inverted for a
// descending order.

FN u64 key_f64(f64 x)
{
    if (x != x) {
        return ~1ULL;
    }
    i64 bits = __double_as_longlong(x == 0 ? 0.0 : x);
    return bits < 0 ? ~(u64) bits : (u64) bits | 0x8000000000000000ULL;
}

FN u64 key_f32(f32 x) { return key_f64(x); }
FN u64 key_i64(i64 x) { return ((u64) x ^ 0x8000000000000000ULL); }
FN u64 key_i32(i32 x) { return key_i64(x); }
