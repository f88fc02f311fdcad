// Attention by tensor cores. A warp has 16 queries, a block 64, which goes through the keys, 64 at a time. Weights are rounded to 16
// bits before they are multiplied.

#define NOTHING_SEEN (-(f32) INFINITE_F64)

typedef struct {
    STORED *output;
    f32 *logarithms;
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

FN int is_seen(const Arguments *a, const MASKED *mask, i64 query, i64 key)
{
    int seen = query < a->queries && key < a->keys && (!CAUSAL || key <= query);
#if MASK == 1
    seen = seen && mask[query * a->mask_strides[2] + key * a->mask_strides[3]] != 0;
#endif
    return seen;
}

FN f32 score_of(const Arguments *a, const MASKED *mask, i64 query, i64 key, f32 score)
{
    if (!is_seen(a, mask, query, key)) {
        return NOTHING_SEEN;
    }
#if MASK == 2
    score += LOAD(mask[query * a->mask_strides[2] + key * a->mask_strides[3]]);
#endif
    return score;
}

extern "C" __global__ void __launch_bounds__(128) attention_mma(const Arguments a)
{
    __shared__ STORED keys[TILE][PADDED];
    __shared__ STORED values[TILE][PADDED];
    int lane = threadIdx.x % 32;
    int group = lane / 4;
    int pair = lane % 4 * 2;
    i64 tile = a.tiles - 1 - blockIdx.x % a.tiles;
    i64 head = blockIdx.x / a.tiles % a.heads;
    i64 batch = blockIdx.x / a.tiles / a.heads;
    const STORED *key = a.key + batch * a.key_strides[0] + head / a.shared * a.key_strides[1];
    const STORED *value = a.value + batch * a.value_strides[0] + head / a.shared * a.value_strides[1];
    const MASKED *mask = MASK ? a.mask + batch * a.mask_strides[0] + head * a.mask_strides[1] : 0;
    // The first of a lane's two rows; the other one is 8 further on.
    i64 row = tile * TILE + threadIdx.x / 32 * 16 + group;
    const STORED *query = a.query + batch * a.query_strides[0] + head * a.query_strides[1];
    u32 left[STEPS][4];
    load_fragments(left, query, a.query_strides, row, a.queries);
    f32 sums[FEATURES / 8][4];
#pragma unroll
    for (int i = 0; i < FEATURES / 2; i++) {
        sums[i / 4][i % 4] = 0;
    }
    f32 scale = (f32) a.scale;
    f32 largest[2] = {NOTHING_SEEN, NOTHING_SEEN};
    f32 total[2] = {0, 0};
    i64 end = CAUSAL && (tile + 1) * TILE < a.keys ? (tile + 1) * TILE : a.keys;
    end = end_of_seen(mask, a.mask_strides, tile * TILE, a.queries, end);
    for (i64 column = 0; column < end; column += TILE) {
        // Behind it nobody works on what was there before.
        __syncthreads();
        load_rows(keys, key, a.key_strides, column, a.keys);
        load_rows(values, value, a.value_strides, column, a.keys);
        __syncthreads();
        f32 scores[TILE / 8][4];
        pair_up(scores, left, keys);
        f32 most[2] = {largest[0], largest[1]};
#pragma unroll
        for (int n = 0; n < TILE / 8; n++) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                i64 to = column + n * 8 + pair + i % 2;
                scores[n][i] = score_of(&a, mask, row + i / 2 * 8, to, scale * scores[n][i]);
                most[i / 2] = scores[n][i] > most[i / 2] ? scores[n][i] : most[i / 2];
            }
        }
        f32 less[2];
        f32 shrink[2];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            most[half] = largest_of_four(most[half]);
            // A query that has seen nothing yet has nothing to be less than.
            less[half] = most[half] == NOTHING_SEEN ? 0 : most[half];
            shrink[half] = exp_f32(largest[half] - less[half]);
            largest[half] = most[half];
            total[half] *= shrink[half];
        }
#pragma unroll
        for (int n = 0; n < TILE / 8; n++) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                scores[n][i] = exp_f32(scores[n][i] - less[i / 2]);
                total[i / 2] += scores[n][i];
            }
        }
#pragma unroll
        for (int n = 0; n < FEATURES / 8; n++) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                sums[n][i] *= shrink[i / 2];
            }
        }
#pragma unroll
        for (int step = 0; step < TILE / 16; step++) {
            u32 weights[4];
            fragment_of(weights, scores[2 * step], scores[2 * step + 1]);
#pragma unroll
            for (int n = 0; n < FEATURES / 8; n++) {
                const STORED *right = &values[step * 16 + pair][n * 8 + group];
                multiply_add(sums[n], weights, pair_at(right, PADDED, 0), pair_at(right, PADDED, 8));
            }
        }
    }
    i64 first = (batch * a.heads + head) * a.queries;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        f32 sum = sum_of_four(total[half]);
        i64 at = row + half * 8;
        if (at < a.queries) {
#pragma unroll
            for (int n = 0; n < FEATURES / 8; n++) {
                STORED *to = a.output + (first + at) * FEATURES + n * 8 + pair;
                to[0] = STORE(sums[n][half * 2] / sum);
                to[1] = STORE(sums[n][half * 2 + 1] / sum);
            }
            if (pair == 0) {
                // Of nothing but nothing; a sum that is no number says so.
                int nothing = largest[half] == NOTHING_SEEN && sum == 0;
                a.logarithms[first + at] = nothing ? NOTHING_SEEN : largest[half] + log_f32(sum);
            }
        }
    }
}
