// The gradients of attention by tensor cores, of the queries by one form and of keys and values by another. A warp has 16 rows of
// its own, queries or keys, and goes through the other ones, TILE at a time; a block has CHUNK features of what it sums up.
// Weights and slopes are rounded to 16 bits before they are multiplied.

#define MINE (THREADS / 2)
#define CHUNK 64

typedef struct {
    STORED *to_query;
    STORED *to_key;
    STORED *to_value;
    const STORED *query;
    const STORED *key;
    const STORED *value;
    const STORED *gradient;
    const f32 *logarithms;
    const f32 *less;
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
    i64 gradient_strides[4];
    i64 logarithm_strides[3];
    i64 less_strides[3];
    i64 mask_strides[4];
} Arguments;

// What a query and a key weigh, and the slope of that; nothing where the one does not see the other.
FN void weigh(const Arguments *a, i64 batch, i64 head, i64 query, i64 key, f32 *weight, f32 *slope)
{
    const MASKED *mask = MASK ? a->mask + batch * a->mask_strides[0] + head * a->mask_strides[1] : 0;
    int seen = query < a->queries && key < a->keys && (!CAUSAL || key <= query);
#if MASK == 1
    seen = seen && mask[query * a->mask_strides[2] + key * a->mask_strides[3]] != 0;
#endif
    if (!seen) {
        *weight = 0;
        *slope = 0;
        return;
    }
    f32 score = *weight * (f32) a->scale;
#if MASK == 2
    score += LOAD(mask[query * a->mask_strides[2] + key * a->mask_strides[3]]);
#endif
    const i64 *at = a->logarithm_strides;
    f32 logarithm = a->logarithms[batch * at[0] + head * at[1] + query * at[2]];
    at = a->less_strides;
    f32 less = a->less[batch * at[0] + head * at[1] + query * at[2]];
    *weight = exp_f32(score - logarithm);
    *slope = *weight * (*slope - less);
}

// Adds what pairs say of rows, from the given feature on.
FN void gather(f32 (*sums)[4], f32 (*pairs)[4], STORED (*rows)[PADDED], i64 from)
{
    int group = threadIdx.x % 32 / 4;
    int pair = threadIdx.x % 4 * 2;
#pragma unroll
    for (int step = 0; step < TILE / 16; step++) {
        u32 left[4];
        fragment_of(left, pairs[2 * step], pairs[2 * step + 1]);
#pragma unroll
        for (int n = 0; n < CHUNK / 8; n++) {
            const STORED *right = &rows[step * 16 + pair][from + n * 8 + group];
            multiply_add(sums[n], left, pair_at(right, PADDED, 0), pair_at(right, PADDED, 8));
        }
    }
}

FN void store(STORED *to, i64 row, i64 rows, i64 from, f32 factor, f32 (*sums)[4])
{
    int pair = threadIdx.x % 4 * 2;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        if (row + half * 8 < rows) {
#pragma unroll
            for (int n = 0; n < CHUNK / 8; n++) {
                STORED *at = to + (row + half * 8) * FEATURES + from + n * 8 + pair;
                at[0] = STORE(factor * sums[n][half * 2]);
                at[1] = STORE(factor * sums[n][half * 2 + 1]);
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(128) attention_gradient_mma(const Arguments a)
{
    __shared__ STORED first_rows[TILE][PADDED];
    __shared__ STORED second_rows[TILE][PADDED];
    int group = threadIdx.x % 32 / 4;
    int pair = threadIdx.x % 4 * 2;
    // Of heads, or of groups of them.
    i64 owners = OF_KEYS ? a.heads / a.shared : a.heads;
    i64 rows = OF_KEYS ? a.keys : a.queries;
    i64 others = OF_KEYS ? a.queries : a.keys;
    i64 tile = blockIdx.x % a.tiles;
    i64 from = blockIdx.x / a.tiles % (FEATURES / CHUNK) * CHUNK;
    i64 owner = blockIdx.x / a.tiles / (FEATURES / CHUNK) % owners;
    i64 batch = blockIdx.x / a.tiles / (FEATURES / CHUNK) / owners;
    i64 row = tile * MINE + threadIdx.x / 32 * 16 + group;
    const i64 *first_strides = OF_KEYS ? a.key_strides : a.query_strides;
    const i64 *second_strides = OF_KEYS ? a.value_strides : a.gradient_strides;
    const i64 *other_first = OF_KEYS ? a.query_strides : a.key_strides;
    const i64 *other_second = OF_KEYS ? a.gradient_strides : a.value_strides;
    u32 first[STEPS][4];
    u32 second[STEPS][4];
    const STORED *first_mine = (OF_KEYS ? a.key : a.query) + batch * first_strides[0] + owner * first_strides[1];
    const STORED *second_mine = (OF_KEYS ? a.value : a.gradient) + batch * second_strides[0] + owner * second_strides[1];
    load_fragments(first, first_mine, first_strides, row, rows);
    load_fragments(second, second_mine, second_strides, row, rows);
    f32 slope_sums[CHUNK / 8][4];
    f32 weight_sums[CHUNK / 8][4];
#pragma unroll
    for (int i = 0; i < CHUNK / 2; i++) {
        slope_sums[i / 4][i % 4] = 0;
        weight_sums[i / 4][i % 4] = 0;
    }
    for (i64 share = 0; share < (OF_KEYS ? a.shared : 1); share++) {
        i64 head = OF_KEYS ? owner * a.shared + share : owner;
        i64 other = OF_KEYS ? head : head / a.shared;
        const STORED *firsts = (OF_KEYS ? a.query : a.key) + batch * other_first[0] + other * other_first[1];
        const STORED *seconds = (OF_KEYS ? a.gradient : a.value) + batch * other_second[0] + other * other_second[1];
        // No query before the first key sees any of the block's, and none of its queries a key behind the last.
        i64 begin = OF_KEYS && CAUSAL ? tile * MINE / TILE * TILE : 0;
        i64 end = !OF_KEYS && CAUSAL && (tile + 1) * MINE < others ? (tile + 1) * MINE : others;
        for (i64 column = begin; column < end; column += TILE) {
            // Behind it nobody works on what was there before.
            __syncthreads();
            load_rows(first_rows, firsts, other_first, column, others);
            load_rows(second_rows, seconds, other_second, column, others);
            __syncthreads();
            f32 weights[TILE / 8][4];
            f32 slopes[TILE / 8][4];
            pair_up(weights, first, first_rows);
            pair_up(slopes, second, second_rows);
#pragma unroll
            for (int n = 0; n < TILE / 8; n++) {
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    i64 mine = row + i / 2 * 8;
                    i64 to = column + n * 8 + pair + i % 2;
                    weigh(&a, batch, head, OF_KEYS ? to : mine, OF_KEYS ? mine : to, &weights[n][i], &slopes[n][i]);
                }
            }
            gather(slope_sums, slopes, first_rows, from);
            if (OF_KEYS) {
                gather(weight_sums, weights, second_rows, from);
            }
        }
    }
    i64 at = (batch * owners + owner) * rows * FEATURES;
    store((OF_KEYS ? a.to_key : a.to_query) + at, row, rows, from, (f32) a.scale, slope_sums);
    if (OF_KEYS) {
        store(a.to_value + at, row, rows, from, 1, weight_sums);
    }
}
