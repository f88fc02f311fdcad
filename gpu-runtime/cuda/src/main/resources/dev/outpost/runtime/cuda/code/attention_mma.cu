// Attention on tensor cores. A warp has ATOMS times 16 queries, and a block of 4 warps iterates over the keys, TILE at a time, while the
// next keys are loaded. The fragments of HELD steps of a warp's queries stay in registers, and the others in shared memory. Scores are
// exponents of base 2: they are multiplied by a factor when their powers are computed. Weights are rounded to 16 bits before they are
// multiplied.

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

// Hides the keys that the queries of a lane's two rows do not see, and adds the mask to the scores.
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

FN void store_row(const Arguments *a, i64 first, int row, State *state, int i, f32 factor)
{
    f32 sum = sum_of_four(state->total[i / 2][i % 2]);
    if (row >= (int) a->queries) {
        return;
    }
    store_features(a->output + (first + row) * FEATURES, state->sums[i / 2], i % 2, 1 / sum);
    if (threadIdx.x % 4 == 0) {
        f32 largest = state->largest[i / 2][i % 2];
        // The logarithm of a query that sees no key is minus infinity. If the sum is NaN, the logarithm is NaN too.
        int nothing = largest == NOTHING_SEEN && sum == 0;
        a->logarithms[first + row] = nothing ? NOTHING_SEEN : LN_2 * (factor * largest) + log_f32(sum);
    }
}

// Returns a block's head, counted over the batch, and sets its tile of queries. Of each `together` heads the longest blocks come first, so
// that the last blocks are short.
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
    // Keys and values that the block computes with, and those that are being loaded.
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
    f32 factor = LOG2_E * factor_of(a.scale);
    u32 sign = sign_of(a.scale);
    Fragment held[ATOMS][STEPS];
#pragma unroll
    for (int m = 0; m < ATOMS; m++) {
        int upper = row + m * 16;
        const STORED *above = upper < (int) a.queries ? query + upper * a.query_strides[2] : 0;
        const STORED *below = upper + 8 < (int) a.queries ? query + (upper + 8) * a.query_strides[2] : 0;
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            load_step(held[m][step].words, above, below, a.query_strides[3], step, sign);
            if (step >= HELD) {
                left[step - HELD][m][threadIdx.x] = held[m][step];
            }
        }
    }
    State state;
    begin(&state);
    f32 multiplier = MASK == 2 ? 1 : factor;
    Near across = near + place_across();
    Near down = near + TILE * ROW_BYTES + place_down();
    int now = 0;
    for (int column = 0; column < end; column += TILE) {
        // After this barrier the tile is loaded, and no thread reads the previous one.
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
            score(scores, held, left, across + now);
            int hides = MASK || column + TILE > (int) a.keys || (CAUSAL && column + TILE - 1 > top);
            if (hides) {
#pragma unroll
                for (int m = 0; m < ATOMS; m++) {
                    hide(scores[m], &a, mask, row + m * 16, column, factor);
                }
            }
            take(&state, scores, down + now, multiplier);
        }
        now = next;
    }
    i64 first = owner_of(&a, &tile) * a.queries;
#pragma unroll
    for (int i = 0; i < 2 * ATOMS; i++) {
        store_row(&a, first, row + i * 8, &state, i, multiplier);
    }
}
