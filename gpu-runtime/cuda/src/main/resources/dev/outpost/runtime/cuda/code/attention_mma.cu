// Attention by tensor cores. A warp has ATOMS times 16 queries, and a block of 4 warps goes through the keys, TILE at a time, while the
// next ones come. Of a warp's queries the fragments of HELD steps stay in registers, and the others in shared memory. Scores are to the base of 2: they are multiplied by a factor where their
// powers are taken. Weights are rounded to 16 bits before they are multiplied.

#define NOTHING_SEEN (-(f32) INFINITE_F64)

typedef struct {
    STORED *output;
    f32 *logarithms;
    i64 together;
    i64 owners;
    const STORED *query;
    const STORED *key;
    const STORED *value;
    const MASKED *mask;
    f64 scale;
    i64 heads;
    i64 shared;
    i64 queries;
    i64 keys;
    i64 tiles;
    i64 query_strides[4];
    i64 key_strides[4];
    i64 value_strides[4];
    i64 mask_strides[4];
} Arguments;

// What a thread has of a left matrix, which is read as 16 bytes.
typedef struct __align__(16) {
    u32 words[4];
} Fragment;

// Scores of a warp's queries with a tile of keys.
FN void score(f32 (*scores)[TILE / 8][4], Fragment (*held)[STEPS], Fragment (*left)[ATOMS][THREADS], Near keys)
{
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        Fragment queries[ATOMS];
#pragma unroll
        for (int m = 0; m < ATOMS; m++) {
            queries[m] = step < HELD ? held[m][step] : left[step - HELD][m][threadIdx.x];
        }
#pragma unroll
        for (int n = 0; n < TILE / 16; n++) {
            u32 right[4];
            load_matrices(right, near_at(keys, n * 16, step * 2));
#pragma unroll
            for (int m = 0; m < ATOMS; m++) {
                multiply_add(scores[m][2 * n], queries[m].words, right[0], right[1]);
                multiply_add(scores[m][2 * n + 1], queries[m].words, right[2], right[3]);
            }
        }
    }
}

// Adds values by their weights.
FN void add_values(f32 (*sums)[FEATURES / 8][4], f32 (*weights)[TILE / 8][4], Near values)
{
#pragma unroll
    for (int step = 0; step < TILE / 16; step++) {
        u32 left[ATOMS][4];
#pragma unroll
        for (int m = 0; m < ATOMS; m++) {
            fragment_of(left[m], weights[m][2 * step], weights[m][2 * step + 1]);
        }
#pragma unroll
        for (int n = 0; n < FEATURES / 16; n++) {
            u32 right[4];
            load_turned_matrices(right, near_at(values, step * 16, n * 2));
#pragma unroll
            for (int m = 0; m < ATOMS; m++) {
                multiply_add(sums[m][2 * n], left[m], right[0], right[1]);
                multiply_add(sums[m][2 * n + 1], left[m], right[2], right[3]);
            }
        }
    }
}

// Hides what a row of queries does not see, and adds to its scores.
FN void hide(f32 (*scores)[4], const Arguments *a, const MASKED *mask, int row, int column, f32 factor)
{
    int pair = threadIdx.x % 4 * 2;
#pragma unroll
    for (int n = 0; n < TILE / 8; n++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int query = row + i / 2 * 8;
            int key = column + n * 8 + pair + i % 2;
            int seen = key < (int) a->keys && (!CAUSAL || key <= query);
#if MASK
            const MASKED *at = mask + query * a->mask_strides[2] + key * a->mask_strides[3];
            int is_there = seen && query < (int) a->queries;
#endif
#if MASK == 1
            seen = is_there && *at != 0;
#elif MASK == 2
            scores[n][i] = factor * scores[n][i] + (is_there ? LOG2_E * LOAD(*at) : 0);
#endif
            scores[n][i] = seen ? scores[n][i] : NOTHING_SEEN;
        }
    }
}

// Of a row's scores their weights below the largest so far; what was summed up before is to be made smaller by the result.
FN f32 weigh(f32 (*scores)[4], int half, f32 *largest, f32 *total, f32 factor)
{
    f32 most = *largest;
#pragma unroll
    for (int n = 0; n < TILE / 8; n++) {
        most = fmaxf(most, fmaxf(scores[n][2 * half], scores[n][2 * half + 1]));
    }
    most = largest_of_four(most);
    // A query that has seen nothing yet has nothing to be less than.
    f32 less = most == NOTHING_SEEN ? 0 : -factor * most;
    f32 shrink = power_of_two(fmaf(*largest, factor, less));
    f32 sum = 0;
#pragma unroll
    for (int n = 0; n < TILE / 8; n++) {
#pragma unroll
        for (int i = 2 * half; i < 2 * half + 2; i++) {
            scores[n][i] = power_of_two(fmaf(scores[n][i], factor, less));
            sum += scores[n][i];
        }
    }
    *largest = most;
    *total = fmaf(*total, shrink, sum);
    return shrink;
}

FN void store_row(const Arguments *a, i64 first, int row, int half, f32 (*sums)[4], f32 largest, f32 total, f32 factor)
{
    int pair = threadIdx.x % 4 * 2;
    f32 sum = sum_of_four(total);
    if (row >= (int) a->queries) {
        return;
    }
    f32 share = 1 / sum;
    u32 *to = (u32 *) (a->output + (first + row) * FEATURES + pair);
#pragma unroll
    for (int n = 0; n < FEATURES / 8; n++) {
        to[n * 4] = packed(sums[n][half * 2] * share, sums[n][half * 2 + 1] * share);
    }
    if (pair == 0) {
        // Of nothing but nothing; a sum that is no number says so.
        int nothing = largest == NOTHING_SEEN && sum == 0;
        a->logarithms[first + row] = nothing ? NOTHING_SEEN : LN_2 * (factor * largest) + log_f32(sum);
    }
}

// The head of a batch that a block works for, and its tile of queries. The longest blocks of some heads come first, so that short ones
// are left at the end.
FN int owner_of(const Arguments *a, int *tile)
{
    int together = (int) a->together;
    int blocks = together * (int) a->tiles;
    int first = blockIdx.x / blocks * together;
    int members = (int) a->owners - first;
    members = members < together ? members : together;
    *tile = (int) a->tiles - 1 - blockIdx.x % blocks / members;
    return first + blockIdx.x % blocks % members;
}

extern "C" __global__ void __launch_bounds__(128) attention_mma(const Arguments a)
{
    // Keys and values that are computed with, and those that come.
    __shared__ __align__(256) STORED tiles[2][2][TILE * FEATURES];
#if HELD < STEPS
    __shared__ Fragment left[STEPS - HELD][ATOMS][THREADS];
#else
    Fragment (*left)[ATOMS][THREADS] = 0;
#endif
    int tile;
    int owner = owner_of(&a, &tile);
    i64 batch = owner / (int) a.heads;
    i64 head = owner % (int) a.heads;
    const STORED *key = a.key + batch * a.key_strides[0] + head / a.shared * a.key_strides[1];
    const STORED *value = a.value + batch * a.value_strides[0] + head / a.shared * a.value_strides[1];
    const MASKED *mask = MASK ? a.mask + batch * a.mask_strides[0] + head * a.mask_strides[1] : 0;
    const STORED *query = a.query + batch * a.query_strides[0] + head * a.query_strides[1];
    int top = tile * ROWS + threadIdx.x / 32 * (16 * ATOMS);
    int row = top + threadIdx.x % 32 / 4;
    int end = CAUSAL && (tile + 1) * ROWS < (int) a.keys ? (tile + 1) * ROWS : (int) a.keys;
    end = (int) end_of_seen(mask, a.mask_strides, tile * ROWS, a.queries, end);
    Near near = near_of(tiles);
    begin_rows(near, key, a.key_strides, 0, a.keys, TILE);
    begin_rows(near + TILE * ROW_BYTES, value, a.value_strides, 0, a.keys, TILE);
    end_copies();
    // To the base of 2; a factor that is below 0 turns the queries round, and one of 0 leaves no score.
    f32 factor = (f32) a.scale * LOG2_E;
    u32 sign = factor < 0 ? 0x80008000u : 0;
    factor = fabsf(factor) > 1e-37f ? fabsf(factor) : 1e-37f;
    Fragment held[ATOMS][STEPS];
#pragma unroll
    for (int m = 0; m < ATOMS; m++) {
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            load_fragment(held[m][step].words, query, a.query_strides, row + m * 16, a.queries, step);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                held[m][step].words[i] ^= sign;
            }
            if (step >= HELD) {
                left[step - HELD][m][threadIdx.x] = held[m][step];
            }
        }
    }
    f32 sums[ATOMS][FEATURES / 8][4];
    f32 largest[ATOMS][2];
    f32 total[ATOMS][2];
#pragma unroll
    for (int m = 0; m < ATOMS; m++) {
        largest[m][0] = largest[m][1] = NOTHING_SEEN;
        total[m][0] = total[m][1] = 0;
#pragma unroll
        for (int i = 0; i < FEATURES / 2; i++) {
            sums[m][i / 4][i % 4] = 0;
        }
    }
    f32 multiplier = MASK == 2 ? 1 : factor;
    Near across = near + place_across();
    Near down = near + TILE * ROW_BYTES + place_down();
    int now = 0;
    for (int column = 0; column < end; column += TILE) {
        // Behind it the tile is there, and no thread works on the one before.
        await_copies(0);
        __syncthreads();
        int next = 2 * TILE * ROW_BYTES - now;
        if (column + TILE < end) {
            begin_rows(near + next, key, a.key_strides, column + TILE, a.keys, TILE);
            begin_rows(near + next + TILE * ROW_BYTES, value, a.value_strides, column + TILE, a.keys, TILE);
            end_copies();
        }
        if (!CAUSAL || column < top + 16 * ATOMS) {
            f32 scores[ATOMS][TILE / 8][4];
#pragma unroll
            for (int i = 0; i < ATOMS * TILE / 2; i++) {
                scores[i / (TILE / 2)][i / 4 % (TILE / 8)][i % 4] = 0;
            }
            score(scores, held, left, across + now);
            int hides = MASK || column + TILE > (int) a.keys || (CAUSAL && column + TILE - 1 > top);
#pragma unroll
            for (int m = 0; m < ATOMS; m++) {
                if (hides) {
                    hide(scores[m], &a, mask, row + m * 16, column, factor);
                }
                f32 shrink[2];
                shrink[0] = weigh(scores[m], 0, &largest[m][0], &total[m][0], multiplier);
                shrink[1] = weigh(scores[m], 1, &largest[m][1], &total[m][1], multiplier);
#pragma unroll
                for (int i = 0; i < FEATURES / 2; i++) {
                    sums[m][i / 4][i % 4] *= shrink[i % 4 / 2];
                }
            }
            add_values(sums, scores, down + now);
        }
        now = next;
    }
    i64 first = owner_of(&a, &tile) * a.queries;
#pragma unroll
    for (int i = 0; i < 2 * ATOMS; i++) {
        store_row(&a, first, row + i * 8, i % 2, sums[i / 2], largest[i / 2][i % 2], total[i / 2][i % 2], multiplier);
    }
}
