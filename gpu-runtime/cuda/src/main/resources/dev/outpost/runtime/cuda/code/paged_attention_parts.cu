// Attention of a few queries over pages, on tensor cores. The tokens of a sequence are cut into parts, and a block processes one part. Each
// of its warps has all rows, up to 16, and 16 tokens of a tile. The parts depend only on the size of the table. A second kernel folds the
// parts in their order. Weights are rounded to 16 bits before they are multiplied.

#define WARPS (THREADS / 32)
// The numbers of one row of a part: the sums of weighted values, then the largest score as an exponent of base 2, and the sum of weights.
#define SUMMED (FEATURES + 2)

FN f32 *part_of(const Arguments *a, i64 owner, int part, int row)
{
    return a->parts + ((owner * a->tiles + part) * (a->tokens * a->shared) + row) * SUMMED;
}

// Stores a lane's results for one of its two rows in the memory in which the warps are folded.
FN void leave_sums(f32 *sums, f32 *most, f32 *totals, State *state, int half, f32 factor)
{
    int row = threadIdx.x % 32 / 4 + half * 8;
    f32 total = sum_of_four(state->total[0][half]);
    sums += row * FEATURES + threadIdx.x % 4 * 2;
#pragma unroll
    for (int n = 0; n < FEATURES / 8; n++) {
        sums[n * 8] = state->sums[0][n][half * 2];
        sums[n * 8 + 1] = state->sums[0][n][half * 2 + 1];
    }
    if (threadIdx.x % 4 == 0) {
        most[row] = factor * state->largest[0][half];
        totals[row] = total;
    }
}

extern "C" __global__ void __launch_bounds__(128) paged_attention_parts(const Arguments a)
{
    __shared__ __align__(256) STORED tiles[2][2][TILE * FEATURES];
    __shared__ Token tokens[2][TILE];
    __shared__ int positions[16];
    __shared__ f32 most[WARPS][16];
    __shared__ f32 totals[WARPS][16];
    int groups = (int) (a.heads / a.shared);
    int rows = (int) (a.tokens * a.shared);
    int part = blockIdx.x % (int) a.tiles;
    i64 owner = blockIdx.x / (int) a.tiles;
    i64 group = owner % groups;
    i64 batch = owner / groups;
    if (threadIdx.x < 16) {
        positions[threadIdx.x] = position_of(&a, batch, threadIdx.x, rows);
    }
    __syncthreads();
    int begin_of_rows = (int) (a.entries * a.page_size);
    int end = 0;
    for (int i = 0; i < rows; i++) {
        int last = positions[i];
        int first = first_seen(&a, last);
        begin_of_rows = last >= 0 && first < begin_of_rows ? first : begin_of_rows;
        end = last + 1 > end ? last + 1 : end;
    }
    int start = part * (int) a.part;
    int stop = start + (int) a.part < end ? start + (int) a.part : end;
    start = begin_of_rows / TILE * TILE > start ? begin_of_rows / TILE * TILE : start;
    if (start >= stop) {
        return;
    }
    const STORED *key = a.key + group * a.key_strides[2];
    const STORED *value = a.value + group * a.value_strides[2];
    Near near = near_of(tiles);
    if (threadIdx.x < TILE) {
        tokens[0][threadIdx.x] = token_at(&a, batch, start + threadIdx.x, stop);
        tokens[1][threadIdx.x] = token_at(&a, batch, start + TILE + threadIdx.x, stop);
    }
    __syncthreads();
    begin_tokens(near, &a, key, value, tokens[0]);
    end_copies();
    Fragment held[STEPS];
    const STORED *above = query_of(&a, batch, group, threadIdx.x % 32 / 4, rows);
    const STORED *below = query_of(&a, batch, group, threadIdx.x % 32 / 4 + 8, rows);
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        load_step(held[step].words, above, below, a.query_strides[3], step, sign_of(a.scale));
    }
    f32 factor = multiplier_of(&a);
    State state;
    begin(&state);
    int top = threadIdx.x / 32 * 16;
    Near across = near + top * ROW_BYTES + place_across();
    Near down = near + (TILE + top) * ROW_BYTES + place_down();
    int now = 0;
    for (int column = start; column < stop; column += TILE) {
        // After this barrier the tile is loaded, and no thread reads the previous one.
        await_copies(0);
        __syncthreads();
        int next = 2 * TILE * ROW_BYTES - now;
        if (column + TILE < stop) {
            begin_tokens(near + next, &a, key, value, tokens[now == 0]);
            end_copies();
        }
        // This tile needs its tokens no longer, so the tokens of the tile after the next one overwrite them.
        if (threadIdx.x < TILE) {
            tokens[now != 0][threadIdx.x] = token_at(&a, batch, column + 2 * TILE + threadIdx.x, stop);
        }
        f32 scores[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            u32 right[4];
            load_matrices(right, near_at(across + now, 0, step * 2));
            multiply_add(scores[0], held[step].words, right[0], right[1]);
            multiply_add(scores[1], held[step].words, right[2], right[3]);
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int last = positions[threadIdx.x % 32 / 4 + i % 4 / 2 * 8];
            int place = column + top + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
            // Another block processes the tokens after this part.
            int end_of_part = last < stop ? last : stop - 1;
            scores[i / 4][i % 4] = score_at(&a, scores[i / 4][i % 4], place, first_seen(&a, last), end_of_part);
        }
        f32 shrink[2];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            shrink[half] = weigh(scores, 2, half, &state.largest[0][half], &state.total[0][half], factor);
        }
        u32 weights[4];
        fragment_of(weights, scores[0], scores[1]);
#pragma unroll
        for (int n = 0; n < FEATURES / 16; n++) {
            u32 right[4];
            load_turned_matrices(right, near_at(down + now, 0, n * 2));
#pragma unroll
            for (int i = 0; i < 8; i++) {
                state.sums[0][2 * n + i / 4][i % 4] *= shrink[i % 4 / 2];
            }
            multiply_add(state.sums[0][2 * n], weights, right[0], right[1]);
            multiply_add(state.sums[0][2 * n + 1], weights, right[2], right[3]);
        }
        now = next;
    }
    // After this barrier no thread reads the tiles, so the warps may overwrite them with their sums.
    __syncthreads();
    f32 *sums = (f32 *) tiles;
    int warp = threadIdx.x / 32;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        leave_sums(sums + warp * 16 * FEATURES, most[warp], totals[warp], &state, half, factor);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < rows * FEATURES; i += THREADS) {
        int row = i / FEATURES;
        f32 largest = NOTHING_SEEN;
        for (int other = 0; other < WARPS; other++) {
            largest = fmaxf(largest, most[other][row]);
        }
        f32 sum = 0;
        f32 total = 0;
        for (int other = 0; other < WARPS; other++) {
            f32 share = largest == NOTHING_SEEN ? 0 : power_of_two(most[other][row] - largest);
            sum = fmaf(share, sums[other * 16 * FEATURES + i], sum);
            total = fmaf(share, totals[other][row], total);
        }
        f32 *to = part_of(&a, owner, part, row);
        to[i % FEATURES] = sum;
        if (i % FEATURES == 0) {
            to[FEATURES] = largest;
            to[FEATURES + 1] = total;
        }
    }
}

// A block has one row, and each thread one feature of it.
extern "C" __global__ void __launch_bounds__(128) paged_attention_fold(const Arguments a)
{
    int groups = (int) (a.heads / a.shared);
    int rows = (int) (a.tokens * a.shared);
    int row = blockIdx.x % rows;
    i64 owner = blockIdx.x / rows;
    int last = position_of(&a, owner / groups, row, rows);
    int first = first_seen(&a, last) / (int) a.part;
    int end = last < 0 ? first : last / (int) a.part + 1;
    f32 largest = NOTHING_SEEN;
    for (int part = first; part < end; part++) {
        largest = fmaxf(largest, part_of(&a, owner, part, row)[FEATURES]);
    }
    f32 sum = 0;
    f32 total = 0;
    for (int part = first; part < end; part++) {
        const f32 *from = part_of(&a, owner, part, row);
        f32 share = from[FEATURES] == NOTHING_SEEN ? 0 : power_of_two(from[FEATURES] - largest);
        sum = fmaf(share, from[threadIdx.x], sum);
        total = fmaf(share, from[FEATURES + 1], total);
    }
    output_of(&a, owner / groups, owner % groups, row)[threadIdx.x] = STORE(sum / total);
}
