// The steps of a warp that iterates over keys and values: scores, their weights, and sums of values. Scores are exponents of base 2: they
// are multiplied by a factor when their powers are computed. A warp has ATOMS times 16 queries. The fragments of HELD steps stay in
// registers, and the others in shared memory. A step processes TILE keys.

#ifndef NOTHING_SEEN
#define NOTHING_SEEN (-(f32) INFINITE_F64)
#endif
#define SLACK 8

// A thread's part of a left matrix. One load reads its 16 bytes.
typedef struct __align__(16) {
    u32 words[4];
} Fragment;

// Returns two neighbouring features of a row as one word. The row must exist.
FN u32 two_at(const STORED *row, i64 along, int feature)
{
    return ALIGNED ? *(const u32 *) (row + feature) : pair_at(row, along, feature);
}

// Loads a lane's features of two rows for one step; zeros for a row that does not exist.
FN void load_step(u32 *to, const STORED *above, const STORED *below, i64 along, int step, u32 sign)
{
    int feature = step * 16 + threadIdx.x % 4 * 2;
    to[0] = above ? sign ^ two_at(above, along, feature) : 0;
    to[1] = below ? sign ^ two_at(below, along, feature) : 0;
    to[2] = above ? sign ^ two_at(above, along, feature + 8) : 0;
    to[3] = below ? sign ^ two_at(below, along, feature + 8) : 0;
}

// Computes the scores of a warp's queries with a tile of keys.
FN void score(f32 (*scores)[TILE / 8][4], Fragment (*held)[STEPS], Fragment (*left)[ATOMS][THREADS], Near keys)
{
#pragma unroll
    for (int i = 0; i < ATOMS * TILE / 2; i++) {
        scores[i / (TILE / 2)][i / 4 % (TILE / 8)][i % 4] = 0;
    }
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

// Adds values to the sums, each multiplied by its weight.
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

// Replaces a row's scores, of `count` times 8 keys, by their weights. The weights are relative to a score that is the largest so far, or
// almost: a weight is at most 2 to the power of SLACK. The caller must multiply the earlier sums by the result, which is mostly 1.
FN f32 weigh(f32 (*scores)[4], int count, int half, f32 *largest, f32 *total, f32 factor)
{
    f32 most = *largest;
#pragma unroll
    for (int n = 0; n < count; n++) {
        most = fmaxf(most, fmaxf(scores[n][2 * half], scores[n][2 * half + 1]));
    }
    most = largest_of_four(most);
    most = factor * (most - *largest) > SLACK ? most : *largest;
    // If the query has seen no key yet, 0 is subtracted, because -inf - -inf would be NaN.
    f32 less = most == NOTHING_SEEN ? 0 : -factor * most;
    f32 shrink = most == *largest ? 1 : power_of_two(fmaf(*largest, factor, less));
    f32 sum = 0;
#pragma unroll
    for (int n = 0; n < count; n++) {
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

// A lane's results for its rows so far. Each atom has two rows. A row has its largest score, the sum of its weights, and the sums of its
// weighted values.
typedef struct {
    f32 sums[ATOMS][FEATURES / 8][4];
    f32 largest[ATOMS][2];
    f32 total[ATOMS][2];
} State;

FN void begin(State *state)
{
#pragma unroll
    for (int m = 0; m < ATOMS; m++) {
        state->largest[m][0] = state->largest[m][1] = NOTHING_SEEN;
        state->total[m][0] = state->total[m][1] = 0;
#pragma unroll
        for (int i = 0; i < FEATURES / 2; i++) {
            state->sums[m][i / 4][i % 4] = 0;
        }
    }
}

// Adds a tile's values to the state, weighted by the scores of its keys.
FN void take(State *state, f32 (*scores)[TILE / 8][4], Near values, f32 factor)
{
#pragma unroll
    for (int m = 0; m < ATOMS; m++) {
        f32 shrink[2];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            shrink[half] = weigh(scores[m], TILE / 8, half, &state->largest[m][half], &state->total[m][half], factor);
        }
        if (__any_sync(0xffffffffu, shrink[0] != 1 || shrink[1] != 1)) {
#pragma unroll
            for (int i = 0; i < FEATURES / 2; i++) {
                state->sums[m][i / 4][i % 4] *= shrink[i % 4 / 2];
            }
        }
    }
    add_values(state->sums, scores, values);
}

// Stores a lane's features of one of its two rows.
FN void store_features(STORED *output, f32 (*sums)[4], int half, f32 share)
{
    u32 *to = (u32 *) (output + threadIdx.x % 4 * 2);
#pragma unroll
    for (int n = 0; n < FEATURES / 8; n++) {
        to[n * 4] = packed(sums[n][half * 2] * share, sums[n][half * 2 + 1] * share);
    }
}

// Returns the factor of scores, which must be positive. sign_of gives a negative scale to the queries. A scale of 0 becomes a number so
// small that scores nearly vanish.
FN f32 factor_of(f64 scale)
{
    f32 factor = fabsf((f32) scale);
    return factor > 1e-37f ? factor : 1e-37f;
}

FN u32 sign_of(f64 scale)
{
    return scale < 0 ? 0x80008000u : 0;
}
