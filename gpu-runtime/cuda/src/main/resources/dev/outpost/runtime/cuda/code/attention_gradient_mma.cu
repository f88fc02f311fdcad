// The gradients of attention by tensor cores, of the queries by one form and of keys and values by another. A warp has OWN times 16
// rows of its own, queries or keys, and goes through the other ones, which come in tiles of TILE while those before are computed
// with. It takes PART of them at a time. Pairs of rows stay in registers: as sums of products they lie as the left matrix of the
// next product needs them. Weights and slopes are rounded to 16 bits before they are multiplied.

#define WARPS (THREADS / 32)
#define MINE (16 * OWN * WARPS)
#define TILE_BYTES (TILE * ROW_BYTES)

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
    i64 owners;
    i64 together;
    i64 query_strides[4];
    i64 key_strides[4];
    i64 value_strides[4];
    i64 gradient_strides[4];
    i64 logarithm_strides[3];
    i64 less_strides[3];
    i64 mask_strides[4];
} Arguments;

// The rows of a block: of a head's queries, or of the keys of a group of heads.
typedef struct {
    i64 owner;
    i64 batch;
    i64 head;
    int row;
} Place;

// The owners of rows take turns, the longest tiles of so many together first: what is left at the end is short.
FN Place place_of(const Arguments *a)
{
    u32 turns = (u32) a->tiles * (u32) a->together;
    u32 first = blockIdx.x / turns * (u32) a->together;
    u32 width = (u32) a->owners - first < (u32) a->together ? (u32) a->owners - first : (u32) a->together;
    u32 tile = blockIdx.x % turns / width;
    i64 heads = OF_KEYS ? a->heads / a->shared : a->heads;
    Place place;
    place.owner = first + blockIdx.x % turns % width;
    place.batch = place.owner / heads;
    place.head = place.owner % heads;
    place.row = (int) (OF_KEYS ? tile : (u32) a->tiles - 1 - tile) * MINE;
    return place;
}

// A query's logarithm to the base of 2. A query that is not there weighs nothing.
FN f32 logarithm_of(const Arguments *a, i64 batch, i64 head, int query)
{
    const i64 *at = a->logarithm_strides;
    return query < a->queries ? LOG2_E * a->logarithms[batch * at[0] + head * at[1] + query * at[2]] : (f32) INFINITE_F64;
}

// The number that its slopes are less by.
FN f32 less_of(const Arguments *a, i64 batch, i64 head, int query)
{
    const i64 *at = a->less_strides;
    return query < a->queries ? a->less[batch * at[0] + head * at[1] + query * at[2]] : 0;
}

FN int is_seen(const Arguments *a, const MASKED *mask, int query, int key)
{
    int seen = query < a->queries && key < a->keys && (!CAUSAL || key <= query);
#if MASK == 1
    seen = seen && mask[query * a->mask_strides[2] + key * a->mask_strides[3]] != 0;
#endif
    return seen;
}

// What the mask adds to a score, to the base of 2.
FN f32 added_to(const Arguments *a, const MASKED *mask, int query, int key)
{
#if MASK == 2
    if (is_seen(a, mask, query, key)) {
        return LOG2_E * LOAD(mask[query * a->mask_strides[2] + key * a->mask_strides[3]]);
    }
#endif
    return 0;
}

// A warp's own rows of a tile as left matrices.
FN void load_own(u32 (*to)[STEPS][4], Near rows)
{
    int place = place_down();
#pragma unroll
    for (int own = 0; own < OWN; own++) {
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            load_matrices(to[own][step], rows + place_at(place, (int) threadIdx.x / 32 * 16 * OWN + own * 16, step * 2));
        }
    }
}

// Sums over all features of own rows times PART others.
FN void pair_up_part(f32 (*sums)[PART / 8][4], u32 (*left)[STEPS][4], Near rows)
{
    int place = place_across();
#pragma unroll
    for (int i = 0; i < OWN * PART / 2; i++) {
        sums[i / (PART / 2)][i / 4 % (PART / 8)][i % 4] = 0;
    }
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
#pragma unroll
        for (int n = 0; n < PART / 16; n++) {
            u32 right[4];
            load_matrices(right, rows + place_at(place, n * 16, step * 2));
#pragma unroll
            for (int own = 0; own < OWN; own++) {
                multiply_add(sums[own][2 * n], left[own][step], right[0], right[1]);
                multiply_add(sums[own][2 * n + 1], left[own][step], right[2], right[3]);
            }
        }
    }
}

// Adds what pairs say of PART rows.
FN void gather_part(f32 (*sums)[FEATURES / 8][4], f32 (*pairs)[PART / 8][4], Near rows)
{
    int place = place_down();
#pragma unroll
    for (int step = 0; step < PART / 16; step++) {
        u32 left[OWN][4];
#pragma unroll
        for (int own = 0; own < OWN; own++) {
            fragment_of(left[own], pairs[own][2 * step], pairs[own][2 * step + 1]);
        }
#pragma unroll
        for (int n = 0; n < FEATURES / 16; n++) {
            u32 right[4];
            load_turned_matrices(right, rows + place_at(place, step * 16, n * 2));
#pragma unroll
            for (int own = 0; own < OWN; own++) {
                multiply_add(sums[own][2 * n], left[own], right[0], right[1]);
                multiply_add(sums[own][2 * n + 1], left[own], right[2], right[3]);
            }
        }
    }
}

FN void clear(f32 (*sums)[FEATURES / 8][4])
{
#pragma unroll
    for (int i = 0; i < OWN * FEATURES / 2; i++) {
        sums[i / (FEATURES / 2)][i / 4 % (FEATURES / 8)][i % 4] = 0;
    }
}

FN void store(STORED *to, int row, i64 rows, f32 factor, f32 (*sums)[FEATURES / 8][4])
{
#pragma unroll
    for (int half = 0; half < 2 * OWN; half++) {
        int at = row + half * 8;
        if (at < rows) {
            u32 *pairs = (u32 *) (to + (i64) at * FEATURES) + threadIdx.x % 4;
#pragma unroll
            for (int n = 0; n < FEATURES / 8; n++) {
                const f32 *sum = &sums[half / 2][n][half % 2 * 2];
                pairs[n * 4] = packed(factor * sum[0], factor * sum[1]);
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(128) attention_gradient_mma(const Arguments a)
{
    // Two tiles that are computed with, and two that come.
    __shared__ __align__(128) STORED tiles[4][TILE][FEATURES];
#if OF_KEYS
    // Logarithms and what slopes are less by.
    __shared__ f32 numbers[2][2][TILE];
#endif
    Place place = place_of(&a);
    int rows = (int) (OF_KEYS ? a.keys : a.queries);
    int others = (int) (OF_KEYS ? a.queries : a.keys);
    int shared = OF_KEYS ? (int) a.shared : 1;
    const i64 *first_strides = OF_KEYS ? a.key_strides : a.query_strides;
    const i64 *second_strides = OF_KEYS ? a.value_strides : a.gradient_strides;
    const i64 *other_first = OF_KEYS ? a.query_strides : a.key_strides;
    const i64 *other_second = OF_KEYS ? a.gradient_strides : a.value_strides;
    Near base = near_of(tiles);
    const STORED *mine = (OF_KEYS ? a.key : a.query) + place.batch * first_strides[0] + place.head * first_strides[1];
    begin_rows(base, mine, first_strides, place.row, rows, MINE);
    mine = (OF_KEYS ? a.value : a.gradient) + place.batch * second_strides[0] + place.head * second_strides[1];
    begin_rows(base + MINE * ROW_BYTES, mine, second_strides, place.row, rows, MINE);
    end_copies();
    await_copies(0);
    __syncthreads();
    u32 first[OWN][STEPS][4];
    u32 second[OWN][STEPS][4];
    load_own(first, base);
    load_own(second, base + MINE * ROW_BYTES);
    // All have their rows; the others may come.
    __syncthreads();
    f32 slope_sums[OWN][FEATURES / 8][4];
    clear(slope_sums);
#if OF_KEYS
    f32 weight_sums[OWN][FEATURES / 8][4];
    clear(weight_sums);
#endif
    // A warp's first row, and the first of a lane; the others of the lane are 8 rows further on each.
    int top = place.row + (int) threadIdx.x / 32 * 16 * OWN;
    int row = top + (int) threadIdx.x % 32 / 4;
    int pair = threadIdx.x % 4 * 2;
    // No query before the first key sees any of the block's, and none of its queries a key behind the last.
    int begin = OF_KEYS && CAUSAL ? place.row / TILE * TILE : 0;
    int end = !OF_KEYS && CAUSAL && place.row + MINE < others ? place.row + MINE : others;
    i64 head = OF_KEYS ? place.head * a.shared : place.head / a.shared;
    const STORED *firsts = (OF_KEYS ? a.query : a.key) + place.batch * other_first[0] + head * other_first[1];
    const STORED *seconds = (OF_KEYS ? a.gradient : a.value) + place.batch * other_second[0] + head * other_second[1];
    f32 scale = (f32) a.scale * LOG2_E;
    int stages = begin < end ? (end - begin + TILE - 1) / TILE * shared : 0;
    int coming = begin;
    i64 coming_head = OF_KEYS ? head : place.head;
    if (stages > 0) {
        begin_rows(base, firsts, other_first, coming, others, TILE);
        begin_rows(base + TILE_BYTES, seconds, other_second, coming, others, TILE);
    }
    end_copies();
#if OF_KEYS
    int of_less = threadIdx.x >= TILE;
    int of_query = threadIdx.x % TILE;
    if (threadIdx.x < 2 * TILE && stages > 0) {
        int query = coming + of_query;
        numbers[0][of_less][of_query] =
            of_less ? less_of(&a, place.batch, head, query) : logarithm_of(&a, place.batch, head, query);
    }
#else
    f32 logarithms[2 * OWN];
    f32 less[2 * OWN];
#pragma unroll
    for (int half = 0; half < 2 * OWN; half++) {
        logarithms[half] = logarithm_of(&a, place.batch, place.head, row + half * 8);
        less[half] = less_of(&a, place.batch, place.head, row + half * 8);
    }
#endif
    for (int stage = 0; stage < stages; stage++) {
        int column = coming;
        int now = stage % 2;
        await_copies(0);
        // Behind it all of this tile is there, and no thread works on the one before.
        __syncthreads();
        i64 query_head = coming_head;
#if OF_KEYS
        f32 of_coming = 0;
#endif
        coming += TILE;
        if (stage + 1 < stages) {
            if (OF_KEYS && coming >= end) {
                coming = begin;
                firsts += other_first[1];
                seconds += other_second[1];
                coming_head++;
            }
            Near next = base + (now ^ 1) * 2 * TILE_BYTES;
            begin_rows(next, firsts, other_first, coming, others, TILE);
            begin_rows(next + TILE_BYTES, seconds, other_second, coming, others, TILE);
#if OF_KEYS
            if (threadIdx.x < 2 * TILE) {
                int query = coming + of_query;
                of_coming = of_less ? less_of(&a, place.batch, coming_head, query)
                                    : logarithm_of(&a, place.batch, coming_head, query);
            }
#endif
        }
        end_copies();
        const MASKED *mask = 0;
#if MASK
        mask = a.mask + place.batch * a.mask_strides[0] + query_head * a.mask_strides[1];
#endif
#pragma unroll 1
        for (int part = 0; part < TILE; part += PART) {
            int at = column + part;
            int bottom = top + 16 * OWN - 1;
            if (at >= end || CAUSAL && (OF_KEYS ? at + PART <= top : at > bottom)) {
                continue;
            }
            Near firsts_of_part = base + now * 2 * TILE_BYTES + part * ROW_BYTES;
            f32 weights[OWN][PART / 8][4];
            f32 slopes[OWN][PART / 8][4];
            pair_up_part(weights, first, firsts_of_part);
            pair_up_part(slopes, second, firsts_of_part + TILE_BYTES);
#pragma unroll
            for (int n = 0; n < PART / 8; n++) {
#pragma unroll
                for (int i = 0; i < OWN * 4; i++) {
                    f32 *weight = &weights[i / 4][n][i % 4];
                    f32 *slope = &slopes[i / 4][n][i % 4];
#if MASK == 2
                    int own = row + i / 2 * 8;
                    int other = at + n * 8 + pair + i % 2;
                    f32 score = fmaf(*weight, scale, added_to(&a, mask, OF_KEYS ? other : own, OF_KEYS ? own : other));
#endif
#if OF_KEYS
                    f32 logarithm = numbers[now][0][part + n * 8 + pair + i % 2];
                    f32 little = numbers[now][1][part + n * 8 + pair + i % 2];
#else
                    f32 logarithm = logarithms[i / 2];
                    f32 little = less[i / 2];
#endif
#if MASK == 2
                    *weight = power_of_two(score - logarithm);
#else
                    *weight = power_of_two(fmaf(*weight, scale, -logarithm));
#endif
                    *slope = *weight * (*slope - little);
                }
            }
            // Where some do not see each other.
            int is_cut = OF_KEYS ? CAUSAL && at < bottom : CAUSAL && at + PART - 1 > top || at + PART > others;
            if (MASK || is_cut) {
#pragma unroll
                for (int n = 0; n < PART / 8; n++) {
#pragma unroll
                    for (int i = 0; i < OWN * 4; i++) {
                        int own = row + i / 2 * 8;
                        int other = at + n * 8 + pair + i % 2;
                        int seen = is_seen(&a, mask, OF_KEYS ? other : own, OF_KEYS ? own : other);
                        weights[i / 4][n][i % 4] = seen ? weights[i / 4][n][i % 4] : 0;
                        slopes[i / 4][n][i % 4] = seen ? slopes[i / 4][n][i % 4] : 0;
                    }
                }
            }
#if OF_KEYS
            gather_part(weight_sums, weights, firsts_of_part + TILE_BYTES);
#endif
            gather_part(slope_sums, slopes, firsts_of_part);
        }
#if OF_KEYS
        if (threadIdx.x < 2 * TILE) {
            numbers[now ^ 1][of_less][of_query] = of_coming;
        }
#endif
    }
    i64 at = place.owner * rows * FEATURES;
    store((OF_KEYS ? a.to_key : a.to_query) + at, row, rows, (f32) a.scale, slope_sums);
#if OF_KEYS
    store(a.to_value + at, row, rows, 1, weight_sums);
#endif
}
