// Attention over pages by tensor cores. The rows of a block are the queries of the heads that share keys and values, token by token. A warp
// has 16 of them, a block 64, which goes through the tokens that they see, 64 at a time. Weights are rounded to 16 bits before they are
// multiplied. Pages and positions were checked, and where that failed nothing is read.

// The first feature of a row, of a token and a head of a group.
FN const STORED *query_of(const Arguments *a, i64 batch, i64 group, i64 row)
{
    i64 head = group * a->shared + row % a->shared;
    return a->query + batch * a->query_strides[0] + head * a->query_strides[1] + row / a->shared * a->query_strides[2];
}

FN void load_queries(u32 (*to)[4], const Arguments *a, i64 batch, i64 group, i64 row, i64 rows)
{
#pragma unroll
    for (int half = 0; half < 2; half++) {
        i64 at = row + half * 8;
        const STORED *query = query_of(a, batch, group, at < rows ? at : 0);
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            i64 feature = step * 16 + threadIdx.x % 4 * 2;
            to[step][half] = at < rows ? pair_at(query, a->query_strides[3], feature) : 0;
            to[step][half + 2] = at < rows ? pair_at(query, a->query_strides[3], feature + 8) : 0;
        }
    }
}

// Keys or values of a tile of tokens, which have pages; 0 where there is none.
FN void load_tokens(STORED (*to)[PADDED], const STORED *from, const i64 *strides, const i64 *pages, i64 first, i64 page_size)
{
    for (int place = threadIdx.x; place < TILE * FEATURES; place += THREADS) {
        int token = place / FEATURES;
        int feature = place % FEATURES;
        i64 page = pages[token];
        to[token][feature] = page < 0
            ? 0
            : from[page * strides[0] + (first + token) % page_size * strides[1] + feature * strides[3]];
    }
}

extern "C" __global__ void __launch_bounds__(128) paged_attention_mma(const Arguments a)
{
    __shared__ STORED keys[TILE][PADDED];
    __shared__ STORED values[TILE][PADDED];
    __shared__ i64 pages[TILE];
    __shared__ i64 positions[ROWS];
    int lane = threadIdx.x % 32;
    int group_of_lane = lane / 4;
    int pair = lane % 4 * 2;
    i64 groups = a.heads / a.shared;
    i64 tile = blockIdx.x % a.tiles;
    i64 group = blockIdx.x / a.tiles % groups;
    i64 batch = blockIdx.x / a.tiles / groups;
    i64 rows = a.tokens * a.shared;
    // A row behind the last sees nothing.
    if (threadIdx.x < ROWS) {
        i64 at = tile * ROWS + threadIdx.x;
        positions[threadIdx.x] = at < rows
            ? a.positions[batch * a.position_strides[0] + at / a.shared * a.position_strides[1]]
            : -1;
    }
    __syncthreads();
    i64 end = 0;
    i64 begin = a.entries * a.page_size;
    for (int i = 0; i < ROWS; i++) {
        i64 last = positions[i];
        if (last >= 0) {
            i64 first = a.window == 0 || last < a.window ? 0 : last - a.window + 1;
            end = last + 1 > end ? last + 1 : end;
            begin = first < begin ? first : begin;
        }
    }
    // The first of a lane's two rows; the other one is 8 further on.
    int own = threadIdx.x / 32 * 16 + group_of_lane;
    i64 row = tile * ROWS + own;
    u32 left[STEPS][4];
    load_queries(left, &a, batch, group, row, rows);
    f32 sums[FEATURES / 8][4];
#pragma unroll
    for (int i = 0; i < FEATURES / 2; i++) {
        sums[i / 4][i % 4] = 0;
    }
    f32 scale = (f32) a.scale;
    f32 largest[2] = {NOTHING_SEEN, NOTHING_SEEN};
    f32 total[2] = {0, 0};
    for (i64 column = begin / TILE * TILE; column < end; column += TILE) {
        // Behind it no thread works on what was there before.
        __syncthreads();
        if (threadIdx.x < TILE) {
            i64 place = column + threadIdx.x;
            pages[threadIdx.x] = place < end ? page_of(&a, batch, place) : -1;
        }
        __syncthreads();
        load_tokens(keys, a.key + group * a.key_strides[2], a.key_strides, pages, column, a.page_size);
        load_tokens(values, a.value + group * a.value_strides[2], a.value_strides, pages, column, a.page_size);
        __syncthreads();
        f32 scores[TILE / 8][4];
        pair_up(scores, left, keys);
        f32 most[2] = {largest[0], largest[1]};
#pragma unroll
        for (int n = 0; n < TILE / 8; n++) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int token = n * 8 + pair + i % 2;
                i64 place = column + token;
                i64 last = positions[own + i / 2 * 8];
                int seen = place <= last && (a.window == 0 || place > last - a.window) && pages[token] >= 0;
                f32 score = scale * scores[n][i];
                if (CAPPED) {
                    score = (f32) a.cap * tanh_f32(score / (f32) a.cap);
                }
                scores[n][i] = seen ? score : NOTHING_SEEN;
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
                const STORED *right = &values[step * 16 + pair][n * 8 + group_of_lane];
                multiply_add(sums[n], weights, pair_at(right, PADDED, 0), pair_at(right, PADDED, 8));
            }
        }
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
        f32 sum = sum_of_four(total[half]);
        i64 at = row + half * 8;
        if (at < rows) {
            i64 head = group * a.shared + at % a.shared;
            STORED *output = a.output + ((batch * a.heads + head) * a.tokens + at / a.shared) * FEATURES;
#pragma unroll
            for (int n = 0; n < FEATURES / 8; n++) {
                output[n * 8 + pair] = STORE(sums[n][half * 2] / sum);
                output[n * 8 + pair + 1] = STORE(sums[n][half * 2 + 1] / sum);
            }
        }
    }
}
