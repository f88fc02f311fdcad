// Philox 4x32-10: the key is the seed, the counter is (block, call), low words first.

typedef struct {
    u32 w[4];
} Words;

FN Words philox(u64 seed, u64 call, u64 block)
{
    u32 c0 = (u32) block, c1 = (u32) (block >> 32), c2 = (u32) call, c3 = (u32) (call >> 32);
    u32 k0 = (u32) seed, k1 = (u32) (seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        u64 product0 = (u64) 0xD2511F53u * c0;
        u64 product1 = (u64) 0xCD9E8D57u * c2;
        c0 = (u32) (product1 >> 32) ^ c1 ^ k0;
        c1 = (u32) product1;
        c2 = (u32) (product0 >> 32) ^ c3 ^ k1;
        c3 = (u32) product0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    Words words = {{c0, c1, c2, c3}};
    return words;
}

// A 32-bit draw of element i is word i % 4 of block i / 4.
FN u32 short_draw(u64 seed, u64 call, i64 index)
{
    return philox(seed, call, (u64) index / 4).w[index % 4];
}

// A 64-bit draw of element i is words 2 (i % 2) and the next of block i / 2, low word first.
FN u64 long_draw(u64 seed, u64 call, i64 index)
{
    Words words = philox(seed, call, (u64) index / 2);
    return index % 2 ? (u64) words.w[3] << 32 | words.w[2] : (u64) words.w[1] << 32 | words.w[0];
}

FN f32 uniform_f32(u64 seed, u64 call, i64 index) { return (short_draw(seed, call, index) >> 8) * (1.0f / (1 << 24)); }
FN f32 uniform_f16(u64 seed, u64 call, i64 index) { return (short_draw(seed, call, index) >> 21) / (f32) (1 << 11); }
FN f32 uniform_bf16(u64 seed, u64 call, i64 index) { return (short_draw(seed, call, index) >> 24) / (f32) (1 << 8); }
FN f64 uniform_f64(u64 seed, u64 call, i64 index)
{
    return (f64) (long_draw(seed, call, index) >> 11) * (1.0 / (1LL << 53));
}

// The cosine branch of the Box-Muller transform.
FN f64 normal(u64 seed, u64 call, i64 index)
{
    u64 draw = long_draw(seed, call, index);
    f64 radius = sqrt(-2 * log(((f64) (u32) draw + 1) * (1.0 / (1LL << 32))));
    return radius * cos(2 * 3.141592653589793 * ((f64) (u32) (draw >> 32) * (1.0 / (1LL << 32))));
}

FN i64 integer(u64 seed, u64 call, i64 index, i64 low, i64 high)
{
    return (i64) ((u64) low + __umul64hi(long_draw(seed, call, index), (u64) high - (u64) low));
}
