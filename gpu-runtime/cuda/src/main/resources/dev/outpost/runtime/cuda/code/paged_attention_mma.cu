// Attention over pages on tensor cores. A warp has ATOMS times 16 rows, and a block of 4 warps iterates over the tokens that they see, TILE
// at a time, while the next tokens are loaded. Weights are rounded to 16 bits before they are multiplied.

extern "C" __global__ void __launch_bounds__(128) paged_attention_mma(const Arguments a)
{
    // Keys and values that the block computes with, and those that are being loaded. `tokens` has the offsets of the tokens of two tiles.
    __shared__ __align__(256) STORED tiles[2][2][TILE * FEATURES];
    __shared__ Token tokens[2][TILE];
    __shared__ int positions[ROWS];
#if HELD < STEPS
    __shared__ Fragment left[STEPS - HELD][ATOMS][THREADS];
#else
    Fragment (*left)[ATOMS][THREADS] = 0;
#endif
    int groups = (int) (a.heads / a.shared);
    int rows = (int) (a.tokens * a.shared);
    // The longest blocks come first.
    int tile = (int) a.tiles - 1 - blockIdx.x % (int) a.tiles;
    i64 group = blockIdx.x / (int) a.tiles % groups;
    i64 batch = blockIdx.x / (int) a.tiles / groups;
    for (int i = threadIdx.x; i < ROWS; i += THREADS) {
        positions[i] = position_of(&a, batch, tile * ROWS + i, rows);
    }
    __syncthreads();
    // The tokens that any row of the block sees, those that any row of this warp sees, and those that all rows of this warp see.
    int top = threadIdx.x / 32 * 16 * ATOMS;
    int begin_of_block = (int) (a.entries * a.page_size);
    int end_of_block = 0;
    int begin_of_warp = begin_of_block;
    int end_of_warp = 0;
    int from_of_all = 0;
    int to_of_all = begin_of_block;
    for (int i = 0; i < ROWS; i++) {
        int last = positions[i];
        int first = first_seen(&a, last);
        int is_mine = i >= top && i < top + 16 * ATOMS;
        if (last >= 0) {
            begin_of_block = first < begin_of_block ? first : begin_of_block;
            end_of_block = last + 1 > end_of_block ? last + 1 : end_of_block;
        }
        if (last >= 0 && is_mine) {
            begin_of_warp = first < begin_of_warp ? first : begin_of_warp;
            end_of_warp = last + 1 > end_of_warp ? last + 1 : end_of_warp;
            from_of_all = first > from_of_all ? first : from_of_all;
            to_of_all = last + 1 < to_of_all ? last + 1 : to_of_all;
        }
    }
    int start = begin_of_block / TILE * TILE;
    const STORED *key = a.key + group * a.key_strides[2];
    const STORED *value = a.value + group * a.value_strides[2];
    Near near = near_of(tiles);
    if (threadIdx.x < TILE) {
        tokens[0][threadIdx.x] = token_at(&a, batch, start + threadIdx.x, end_of_block);
        tokens[1][threadIdx.x] = token_at(&a, batch, start + TILE + threadIdx.x, end_of_block);
    }
    __syncthreads();
    begin_tokens(near, &a, key, value, tokens[0]);
    end_copies();
    int row = tile * ROWS + top + threadIdx.x % 32 / 4;
    Fragment held[ATOMS][STEPS];
#pragma unroll
    for (int m = 0; m < ATOMS; m++) {
        const STORED *above = query_of(&a, batch, group, row + m * 16, rows);
        const STORED *below = query_of(&a, batch, group, row + m * 16 + 8, rows);
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            load_step(held[m][step].words, above, below, a.query_strides[3], step, sign_of(a.scale));
            if (step >= HELD) {
                left[step - HELD][m][threadIdx.x] = held[m][step];
            }
        }
    }
    State state;
    begin(&state);
    Near across = near + place_across();
    Near down = near + TILE * ROW_BYTES + place_down();
    int now = 0;
    for (int column = start; column < end_of_block; column += TILE) {
        // After this barrier the tile is loaded, and no thread reads the previous one.
        await_copies(0);
        __syncthreads();
        int next = 2 * TILE * ROW_BYTES - now;
        if (column + TILE < end_of_block) {
            begin_tokens(near + next, &a, key, value, tokens[now == 0]);
            end_copies();
        }
        // This tile needs its tokens no longer, so the tokens of the tile after the next one overwrite them.
        if (threadIdx.x < TILE) {
            tokens[now != 0][threadIdx.x] = token_at(&a, batch, column + 2 * TILE + threadIdx.x, end_of_block);
        }
        if (column < end_of_warp && column + TILE > begin_of_warp) {
            f32 scores[ATOMS][TILE / 8][4];
            score(scores, held, left, across + now);
            if (CAPPED || column < from_of_all || column + TILE > to_of_all) {
#pragma unroll
                for (int i = 0; i < ATOMS * TILE / 2; i++) {
                    int m = i / (TILE / 2);
                    int last = positions[top + m * 16 + threadIdx.x % 32 / 4 + i % 4 / 2 * 8];
                    int place = column + i / 4 % (TILE / 8) * 8 + threadIdx.x % 4 * 2 + i % 2;
                    f32 *at = &scores[m][i / 4 % (TILE / 8)][i % 4];
                    *at = score_at(&a, *at, place, first_seen(&a, last), last);
                }
            }
            take(&state, scores, down + now, multiplier_of(&a));
        }
        now = next;
    }
#pragma unroll
    for (int i = 0; i < 2 * ATOMS; i++) {
        f32 sum = sum_of_four(state.total[i / 2][i % 2]);
        if (row + i * 8 < rows) {
            store_features(output_of(&a, batch, group, row + i * 8), state.sums[i / 2], i % 2, 1 / sum);
        }
    }
}
