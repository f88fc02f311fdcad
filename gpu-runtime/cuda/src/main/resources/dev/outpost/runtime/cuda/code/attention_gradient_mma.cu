// The gradients of attention on tensor cores. One form of the kernel computes the gradients of queries, and another those of keys and
// values. A warp has ATOMS times 16 rows of its own (queries or keys) and iterates over the rows of the other side. These are loaded in
// tiles of TILE rows, while the warp computes with the tile before, PART rows at a time. The numbers of pairs of rows stay in registers,
// because the sums of products have the layout of the next product's left matrix. The fragments of a warp's own rows also stay in
// registers; of the second matrix, only those of HELD steps. Weights and slopes (the gradients of the scores) are rounded to 16 bits before
// they are multiplied.

#define MINE (16 * ATOMS * THREADS / 32)
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

// The rows of a block: queries of a head, or keys of a group of heads. `head` is then the group's first head.
typedef struct {
    i64 owner;
    i64 batch;
    i64 head;
    i64 group;
    int row;
} Place;

// Returns a block's rows. Of each `together` owners the longest tiles come first, so that the last blocks are short.
FN Place place_of(const Arguments *a)
{
    u32 turns = (u32) a->tiles * (u32) a->together;
    u32 first = blockIdx.x / turns * (u32) a->together;
    u32 width = (u32) a->owners - first < (u32) a->together ? (u32) a->owners - first : (u32) a->together;
    u32 tile = blockIdx.x % turns / width;
    u32 owner = first + blockIdx.x % turns % width;
    u32 members = (u32) (OF_KEYS ? a->heads / a->shared : a->heads);
    Place place;
    place.owner = owner;
    place.batch = owner / members;
    place.head = owner % members * (OF_KEYS ? a->shared : 1);
    place.group = OF_KEYS ? owner % members : (u32) place.head / (u32) a->shared;
    place.row = (int) (OF_KEYS ? tile : (u32) a->tiles - 1 - tile) * MINE;
    return place;
}

// Two matrices with the same number of rows: queries with the gradients of their outputs, or keys with values.
typedef struct {
    const STORED *first;
    const STORED *second;
    const i64 *first_strides;
    const i64 *second_strides;
    int rows;
} Side;

FN Side queries_of(const Arguments *a, const Place *at)
{
    Side side;
    side.first = a->query + at->batch * a->query_strides[0] + at->head * a->query_strides[1];
    side.second = a->gradient + at->batch * a->gradient_strides[0] + at->head * a->gradient_strides[1];
    side.first_strides = a->query_strides;
    side.second_strides = a->gradient_strides;
    side.rows = (int) a->queries;
    return side;
}

FN Side keys_of(const Arguments *a, const Place *at)
{
    Side side;
    side.first = a->key + at->batch * a->key_strides[0] + at->group * a->key_strides[1];
    side.second = a->value + at->batch * a->value_strides[0] + at->group * a->value_strides[1];
    side.first_strides = a->key_strides;
    side.second_strides = a->value_strides;
    side.rows = (int) a->keys;
    return side;
}

// Begins to load a tile of both matrices. `head` counts from the side's first head.
FN void begin_tile(Near to, Side from, int head, int row)
{
    begin_rows(to, from.first + head * from.first_strides[1], from.first_strides, row, from.rows, TILE);
    begin_rows(to + TILE_BYTES, from.second + head * from.second_strides[1], from.second_strides, row, from.rows, TILE);
}

// Begins to load the logarithms of a tile's queries, and then the numbers that their slopes subtract (`less`). `head` counts from the
// block's first head.
FN void begin_numbers(Near to, const Arguments *a, const Place *place, int head, int row)
{
    int thread = thread_again();
    int is_less = thread >= TILE;
    int query = row + thread % TILE;
    int is_there = query < (int) a->queries;
    i64 along_batch = is_less ? a->less_strides[0] : a->logarithm_strides[0];
    i64 along_heads = is_less ? a->less_strides[1] : a->logarithm_strides[1];
    i64 along = is_less ? a->less_strides[2] : a->logarithm_strides[2];
    const f32 *numbers = is_less ? a->less : a->logarithms;
    if (thread < 2 * TILE) {
        i64 number = place->batch * along_batch + (place->head + head) * along_heads + (is_there ? query : 0) * along;
        begin_number(to + thread * 4, numbers + number, is_there);
    }
}

// Returns a warp's first row. A lane's first row is lane / 4 rows below it, and the lane's other rows follow in steps of 8.
FN int top_of(const Place *place)
{
    return place->row + thread_again() / 32 * (16 * ATOMS);
}

FN int row_of(const Place *place)
{
    return top_of(place) + thread_again() % 32 / 4;
}

// Returns a lane's first column. The lane also has the next column, and the same pair in each further 8 columns.
FN int pair_of(void)
{
    return thread_again() % 4 * 2;
}

FN int is_seen(const Arguments *a, const MASKED *mask, int query, int key)
{
    int seen = query < a->queries && key < a->keys && (!CAUSAL || key <= query);
#if MASK == 1
    seen = seen && mask[query * a->mask_strides[2] + key * a->mask_strides[3]] != 0;
#endif
    return seen;
}

// Returns the number that the mask adds to a score. Scores are exponents of base 2.
FN f32 added_to(const Arguments *a, const MASKED *mask, int query, int key)
{
#if MASK == 2
    if (is_seen(a, mask, query, key)) {
        return LOG2_E * LOAD(mask[query * a->mask_strides[2] + key * a->mask_strides[3]]);
    }
#endif
    return 0;
}

// A thread's part of a left matrix. One load reads its 16 bytes.
typedef struct __align__(16) {
    u32 words[4];
} Fragment;

// Loads a warp's own rows as left matrices, through the shared memory of the tiles. All threads of the block call it.
FN void load_own(Fragment (*to)[STEPS], Near tiles, const STORED *from, const i64 *strides, int row, int rows)
{
    begin_rows(tiles, from, strides, row, rows, MINE);
    end_copies();
    await_copies(0);
    __syncthreads();
    Near down = tiles + (int) threadIdx.x / 32 * (16 * ATOMS) * ROW_BYTES + place_down();
#pragma unroll
    for (int m = 0; m < ATOMS; m++) {
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            load_matrices(to[m][step].words, near_at(down, m * 16, step * 2));
        }
    }
    // After this barrier no thread reads these rows in shared memory.
    __syncthreads();
}

// Computes the dot products of the own rows with PART others. The fragments of the first `held` steps are in registers, and the others in
// shared memory.
FN void pair_up_part(f32 (*sums)[PART / 8][4], Fragment (*left)[STEPS], int held, Fragment (*further)[ATOMS][THREADS], Near rows)
{
#pragma unroll
    for (int i = 0; i < ATOMS * PART / 2; i++) {
        sums[i / (PART / 2)][i / 4 % (PART / 8)][i % 4] = 0;
    }
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        Fragment own[ATOMS];
#pragma unroll
        for (int m = 0; m < ATOMS; m++) {
            own[m] = step < held ? left[m][step] : further[step - held][m][threadIdx.x];
        }
#pragma unroll
        for (int n = 0; n < PART / 16; n++) {
            u32 right[4];
            load_matrices(right, near_at(rows, n * 16, step * 2));
#pragma unroll
            for (int m = 0; m < ATOMS; m++) {
                multiply_add(sums[m][2 * n], own[m].words, right[0], right[1]);
                multiply_add(sums[m][2 * n + 1], own[m].words, right[2], right[3]);
            }
        }
    }
}

// Adds PART rows to the sums, each weighted by the number of its pair.
FN void gather_part(f32 (*sums)[FEATURES / 8][4], f32 (*pairs)[PART / 8][4], Near rows)
{
#pragma unroll
    for (int step = 0; step < PART / 16; step++) {
        u32 left[ATOMS][4];
#pragma unroll
        for (int m = 0; m < ATOMS; m++) {
            fragment_of(left[m], pairs[m][2 * step], pairs[m][2 * step + 1]);
        }
#pragma unroll
        for (int n = 0; n < FEATURES / 16; n++) {
            u32 right[4];
            load_turned_matrices(right, near_at(rows, step * 16, n * 2));
#pragma unroll
            for (int m = 0; m < ATOMS; m++) {
                multiply_add(sums[m][2 * n], left[m], right[0], right[1]);
                multiply_add(sums[m][2 * n + 1], left[m], right[2], right[3]);
            }
        }
    }
}

// Sets the numbers of pairs whose query does not see the key to 0.
FN void hide(f32 (*pairs)[PART / 8][4], const Arguments *a, const MASKED *mask, const Place *place, int column)
{
    int row = row_of(place);
    column += pair_of();
#pragma unroll
    for (int n = 0; n < PART / 8; n++) {
#pragma unroll
        for (int i = 0; i < ATOMS * 4; i++) {
            int own = row + i / 2 * 8;
            int other = column + n * 8 + i % 2;
            int seen = is_seen(a, mask, OF_KEYS ? other : own, OF_KEYS ? own : other);
            pairs[i / 4][n][i % 4] = seen ? pairs[i / 4][n][i % 4] : 0;
        }
    }
}

FN void clear(f32 (*sums)[FEATURES / 8][4])
{
#pragma unroll
    for (int i = 0; i < ATOMS * FEATURES / 2; i++) {
        sums[i / (FEATURES / 2)][i / 4 % (FEATURES / 8)][i % 4] = 0;
    }
}

FN void store(STORED *to, const Place *place, int rows, f32 factor, f32 (*sums)[FEATURES / 8][4])
{
    int row = row_of(place);
#pragma unroll
    for (int half = 0; half < 2 * ATOMS; half++) {
        int at = row + half * 8;
        if (at < rows) {
            u32 *pairs = (u32 *) (to + (place->owner * rows + at) * FEATURES + pair_of());
#pragma unroll
            for (int n = 0; n < FEATURES / 8; n++) {
                const f32 *sum = &sums[half / 2][n][half % 2 * 2];
                pairs[n * 4] = packed(factor * sum[0], factor * sum[1]);
            }
        }
    }
}

// Computes the weights of pairs of rows from their dot products. In the form for keys, a pair's column is its query.
FN void weigh(
    f32 (*weights)[PART / 8][4], const Arguments *a, const MASKED *mask, const Place *place, int column,
    const f32 *logarithms, f32 scale)
{
#if MASK == 2
    int row = row_of(place);
    column += pair_of();
#endif
#pragma unroll
    for (int n = 0; n < PART / 8; n++) {
#pragma unroll
        for (int i = 0; i < ATOMS * 4; i++) {
            f32 *weight = &weights[i / 4][n][i % 4];
            f32 logarithm = LOG2_E * logarithms[OF_KEYS ? n * 8 + i % 2 : i / 2];
#if MASK == 2
            int own = row + i / 2 * 8;
            int other = column + n * 8 + i % 2;
            f32 score = fmaf(*weight, scale, added_to(a, mask, OF_KEYS ? other : own, OF_KEYS ? own : other));
            *weight = power_of_two(score - logarithm);
#else
            *weight = power_of_two(fmaf(*weight, scale, -logarithm));
#endif
        }
    }
}

// Computes the slopes from the weights and from the products of gradients and values.
FN void slope(f32 (*slopes)[PART / 8][4], f32 (*weights)[PART / 8][4], const f32 *less)
{
#pragma unroll
    for (int n = 0; n < PART / 8; n++) {
#pragma unroll
        for (int i = 0; i < ATOMS * 4; i++) {
            f32 *slope = &slopes[i / 4][n][i % 4];
            *slope = weights[i / 4][n][i % 4] * (*slope - less[OF_KEYS ? n * 8 + i % 2 : i / 2]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) attention_gradient_mma(const Arguments a)
{
    // Two tiles that the block computes with, and two that are being loaded. `numbers` has the queries' logarithms and `less`.
    __shared__ __align__(256) STORED tiles[4][TILE][FEATURES];
#if OF_KEYS
    __shared__ f32 numbers[2][2][TILE];
#endif
    Place place = place_of(&a);
    Side own = OF_KEYS ? keys_of(&a, &place) : queries_of(&a, &place);
    Side other = OF_KEYS ? queries_of(&a, &place) : keys_of(&a, &place);
    Near near = near_of(tiles);
    Fragment first[ATOMS][STEPS];
    Fragment second[ATOMS][STEPS];
    load_own(first, near, own.first, own.first_strides, place.row, own.rows);
    load_own(second, near, own.second, own.second_strides, place.row, own.rows);
#if HELD < STEPS
    __shared__ Fragment further[STEPS - HELD][ATOMS][THREADS];
#pragma unroll
    for (int i = 0; i < (STEPS - HELD) * ATOMS; i++) {
        further[i / ATOMS][i % ATOMS][threadIdx.x] = second[i % ATOMS][HELD + i / ATOMS];
    }
#else
    Fragment (*further)[ATOMS][THREADS] = 0;
#endif
    f32 slope_sums[ATOMS][FEATURES / 8][4];
    f32 weight_sums[ATOMS][FEATURES / 8][4];
    clear(slope_sums);
    clear(weight_sums);
    // With a causal mask, no query before the block's first key sees one of its keys, and none of its queries sees a key after the block's
    // last row.
    int begin = OF_KEYS && CAUSAL ? place.row / TILE * TILE : 0;
    int end = !OF_KEYS && CAUSAL && place.row + MINE < other.rows ? place.row + MINE : other.rows;
    int stages = begin < end ? (end - begin + TILE - 1) / TILE * (OF_KEYS ? (int) a.shared : 1) : 0;
    const MASKED *mask = MASK ? a.mask + place.batch * a.mask_strides[0] + place.head * a.mask_strides[1] : 0;
    int coming = begin;
    int coming_head = 0;
    if (stages > 0) {
        begin_tile(near, other, 0, coming);
    }
#if OF_KEYS
    if (stages > 0) {
        begin_numbers(near_of(numbers), &a, &place, 0, coming);
    }
#else
    const f32 *of_head = a.logarithms + place.batch * a.logarithm_strides[0] + place.head * a.logarithm_strides[1];
    const f32 *less_of_head = a.less + place.batch * a.less_strides[0] + place.head * a.less_strides[1];
    int row = row_of(&place);
    f32 own_logarithms[2 * ATOMS];
    f32 own_less[2 * ATOMS];
#pragma unroll
    for (int i = 0; i < 2 * ATOMS; i++) {
        int is_there = row + i * 8 < own.rows;
        own_logarithms[i] = is_there ? of_head[(row + i * 8) * a.logarithm_strides[2]] : 0;
        own_less[i] = is_there ? less_of_head[(row + i * 8) * a.less_strides[2]] : 0;
    }
#endif
    end_copies();
    f32 scale = (f32) a.scale * LOG2_E;
    Near across = near + place_across();
    Near down = near + place_down();
    int now = 0;
    for (int stage = 0; stage < stages; stage++) {
        int column = coming;
        if (OF_KEYS && MASK && stage > 0 && column == begin) {
            mask += a.mask_strides[1];
        }
        // After this barrier the tile is loaded, and no thread reads the previous one.
        await_copies(0);
        __syncthreads();
        if (stage + 1 < stages) {
            coming += TILE;
#if OF_KEYS
            if (coming >= end) {
                coming = begin;
                coming_head++;
            }
            begin_numbers(near_of(numbers[(stage + 1) % 2]), &a, &place, coming_head, coming);
#endif
            begin_tile(near + 2 * TILE_BYTES - now, other, coming_head, coming);
            end_copies();
        }
#pragma unroll 1
        for (int part = 0; part < TILE; part += PART) {
            int at = column + part;
            int top = top_of(&place);
            int bottom = top + 16 * ATOMS - 1;
            if (at >= end || (CAUSAL && (OF_KEYS ? at + PART <= top : at > bottom))) {
                continue;
            }
            int rows = now + part * ROW_BYTES;
            f32 weights[ATOMS][PART / 8][4];
            f32 slopes[ATOMS][PART / 8][4];
            pair_up_part(weights, first, STEPS, 0, across + rows);
            int is_cut = MASK || at + PART > end || (CAUSAL && (OF_KEYS ? at < bottom : at + PART - 1 > top));
#if OF_KEYS
            const f32 *own_logarithms = &numbers[stage % 2][0][part + pair_of()];
            const f32 *own_less = own_logarithms + TILE;
#endif
            weigh(weights, &a, mask, &place, at, own_logarithms, scale);
            if (is_cut) {
                hide(weights, &a, mask, &place, at);
            }
            pair_up_part(slopes, second, HELD, further, across + rows + TILE_BYTES);
            if (OF_KEYS) {
                gather_part(weight_sums, weights, down + rows + TILE_BYTES);
            }
            slope(slopes, weights, own_less);
            if (is_cut) {
                hide(slopes, &a, mask, &place, at);
            }
            gather_part(slope_sums, slopes, down + rows);
        }
        now = 2 * TILE_BYTES - now;
    }
    store(OF_KEYS ? a.to_key : a.to_query, &place, own.rows, (f32) a.scale, slope_sums);
    if (OF_KEYS) {
        store(a.to_value, &place, own.rows, 1, weight_sums);
    }
}
