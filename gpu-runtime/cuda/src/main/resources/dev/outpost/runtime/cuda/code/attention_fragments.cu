// What is multiplied by tensor cores, 16-bit floats with FEATURES a row. Fragments are those of mma.sync.m16n8k16: a lane with the
// number 4 g + t has rows g and g + 8 of the left matrix and of the result, column g of the right one, and of what is summed over
// 2 t and 2 t + 1, and 8 further on.

#define STEPS (FEATURES / 16)
#define PADDED (FEATURES + 8)

// sums += left * right, of a warp together.
#ifdef __CUDACC_RTC__
FN void multiply_add(f32 *sums, const u32 *left, u32 right, u32 further)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32." KIND "." KIND ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right), "r"(further));
}

// Two numbers rounded to 16 bits.
FN u32 packed(f32 low, f32 high)
{
    u32 both;
    asm("cvt.rn." KIND "x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
#else
// By the header that stands in for CUDA's words, where there is no instruction for it.
FN void multiply_add(f32 *sums, const u32 *left, u32 right, u32 further)
{
    multiply_fragments(sums, left, right, further, LOAD);
}

FN u32 packed(f32 low, f32 high)
{
    return (u32) STORE(low) | (u32) STORE(high) << 16;
}
#endif

// Two neighbouring features.
FN u32 pair_at(const STORED *row, i64 across, i64 feature)
{
    return (u32) row[feature * across] | (u32) row[(feature + 1) * across] << 16;
}

FN void load_rows(STORED (*to)[PADDED], const STORED *from, const i64 *strides, i64 row, i64 rows)
{
    for (int place = threadIdx.x; place < TILE * FEATURES; place += THREADS) {
        int r = place / FEATURES;
        int f = place % FEATURES;
        to[r][f] = row + r < rows ? from[(row + r) * strides[2] + f * strides[3]] : 0;
    }
}

// Two rows of one head, 8 apart, of which lanes of a warp have all features.
FN void load_fragments(u32 (*to)[4], const STORED *from, const i64 *strides, i64 row, i64 rows)
{
    const STORED *above = from + row * strides[2];
    const STORED *below = above + 8 * strides[2];
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        i64 feature = step * 16 + threadIdx.x % 4 * 2;
        to[step][0] = row < rows ? pair_at(above, strides[3], feature) : 0;
        to[step][1] = row + 8 < rows ? pair_at(below, strides[3], feature) : 0;
        to[step][2] = row < rows ? pair_at(above, strides[3], feature + 8) : 0;
        to[step][3] = row + 8 < rows ? pair_at(below, strides[3], feature + 8) : 0;
    }
}

// Sums over all features of rows times rows: a warp's 16 with each of a tile.
FN void pair_up(f32 (*sums)[4], u32 (*left)[4], STORED (*rows)[PADDED])
{
#pragma unroll
    for (int n = 0; n < TILE / 8; n++) {
        sums[n][0] = sums[n][1] = sums[n][2] = sums[n][3] = 0;
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            const STORED *right = &rows[n * 8 + threadIdx.x % 32 / 4][step * 16 + threadIdx.x % 4 * 2];
            multiply_add(sums[n], left[step], pair_at(right, 1, 0), pair_at(right, 1, 8));
        }
    }
}

// What a lane has of two neighbouring results is what it needs of a left matrix.
FN void fragment_of(u32 *left, const f32 *first, const f32 *second)
{
    left[0] = packed(first[0], first[1]);
    left[1] = packed(first[2], first[3]);
    left[2] = packed(second[0], second[1]);
    left[3] = packed(second[2], second[3]);
}

// Over the lanes that have the same rows.
FN f32 largest_of_four(f32 x)
{
    for (int distance = 2; distance > 0; distance /= 2) {
        x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, distance));
    }
    return x;
}

FN f32 sum_of_four(f32 x)
{
    for (int distance = 2; distance > 0; distance /= 2) {
        x += __shfl_xor_sync(0xffffffffu, x, distance);
    }
    return x;
}
