// Matrix products on tensor cores, of 16-bit floats with FEATURES in a row. The fragments are those of mma.sync.m16n8k16. Lane 4g+t has
// rows g and g+8 of the left matrix, and column g of the right matrix. Of the dimension that is summed over, it has the elements 2t, 2t+1,
// 2t+8 and 2t+9. Of the result it has rows g and g+8 in columns 2t and 2t+1.

#define STEPS (FEATURES / 16)
#define PADDED (FEATURES + 8)

// sums += left * right, computed by a whole warp.
#ifdef __CUDACC_RTC__
FN void multiply_add(f32 *sums, const u32 *left, u32 right, u32 further)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32." KIND "." KIND ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right), "r"(further));
}

// Packs two numbers, rounded to 16 bits, into one word.
FN u32 packed(f32 low, f32 high)
{
    u32 both;
    asm("cvt.rn." KIND "x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
#else
// Without CUDA, functions of the emulation's header take the place of the instructions.
FN void multiply_add(f32 *sums, const u32 *left, u32 right, u32 further)
{
    multiply_fragments(sums, left, right, further, LOAD);
}

FN u32 packed(f32 low, f32 high)
{
    return (u32) STORE(low) | (u32) STORE(high) << 16;
}
#endif

// Returns two neighbouring features as one word.
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

// Loads a lane's features of two rows of one head, which are 8 rows apart. The four lanes with the same rows have all features together.
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

// Computes the dot products of a warp's 16 rows with each row of a tile.
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

// Makes a fragment of a left matrix from two neighbouring results. A lane already has the elements that it needs.
FN void fragment_of(u32 *left, const f32 *first, const f32 *second)
{
    left[0] = packed(first[0], first[1]);
    left[1] = packed(first[2], first[3]);
    left[2] = packed(second[0], second[1]);
    left[3] = packed(second[2], second[3]);
}

// Returns the largest number of the four lanes that have the same rows.
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
