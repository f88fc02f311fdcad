// The gradients of attention. One form of the kernel computes the gradients of queries, and another those of keys and values. Each block
// has its own rows, so sums always have the same order. The weights are computed again from the logarithms that the forward kernel stored.

typedef struct {
    STORED *to_query;
    STORED *to_key;
    STORED *to_value;
    const STORED *query;
    const STORED *key;
    const STORED *value;
    const STORED *gradient;
    const SUM *logarithms;
    const SUM *less;
    const MASKED *mask;
    f64 scale;
    i64 heads;
    i64 shared;
    i64 queries;
    i64 keys;
    i64 features;
    i64 values;
    i64 tiles;
    i64 chunks;
    i64 query_strides[4];
    i64 key_strides[4];
    i64 value_strides[4];
    i64 gradient_strides[4];
    i64 logarithm_strides[3];
    i64 less_strides[3];
    i64 mask_strides[4];
} Arguments;

FN SUM of_query(const SUM *numbers, const i64 *strides, i64 batch, i64 head, i64 query, i64 queries)
{
    return query < queries ? numbers[batch * strides[0] + head * strides[1] + query * strides[2]] : 0;
}

FN void store(STORED *to, i64 row, i64 rows, i64 from, i64 features, SUM factor, SUM (*sums)[PER][PER])
{
#pragma unroll
    for (int i = 0; i < PER; i++) {
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
#pragma unroll
            for (int j = 0; j < PER; j++) {
                i64 feature = from + part * TILE + COLUMN + j * 16;
                if (row + ROW + i * 16 < rows && feature < features) {
                    to[(row + ROW + i * 16) * features + feature] = GIVE(factor * sums[part][i][j]);
                }
            }
        }
    }
}

#if OF_KEYS == 0
extern "C" __global__ void __launch_bounds__(256) attention_gradient(const Arguments a)
{
    __shared__ SUM left[DEPTH][TILE + 1];
    __shared__ SUM right[DEPTH][TILE + 1];
    __shared__ SUM pairs[TILE][TILE + 1];
    __shared__ SUM chunk[DEPTH][ACROSS];
    i64 row = (a.tiles - 1 - blockIdx.x % a.tiles) * TILE;
    i64 from = blockIdx.x / a.tiles % a.chunks * ACROSS;
    i64 head = blockIdx.x / a.tiles / a.chunks % a.heads;
    i64 batch = blockIdx.x / a.tiles / a.chunks / a.heads;
    Rows query = rows_of(a.query, a.query_strides, batch, head, a.queries, a.features);
    Rows gradient = rows_of(a.gradient, a.gradient_strides, batch, head, a.queries, a.values);
    Rows key = rows_of(a.key, a.key_strides, batch, head / a.shared, a.keys, a.features);
    Rows value = rows_of(a.value, a.value_strides, batch, head / a.shared, a.keys, a.values);
    const MASKED *mask = MASK ? a.mask + batch * a.mask_strides[0] + head * a.mask_strides[1] : 0;
    SUM scale = (SUM) a.scale;
    SUM scores[PER][PER];
    SUM products[PER][PER];
    SUM sums[PARTS][PER][PER];
#pragma unroll
    for (int i = 0; i < PARTS * PER * PER; i++) {
        sums[i / PER / PER][i / PER % PER][i % PER] = 0;
    }
    i64 end = CAUSAL && row + TILE < a.keys ? row + TILE : a.keys;
    end = end_of_seen(mask, a.mask_strides, row, a.queries, end);
    for (i64 column = 0; column < end; column += TILE) {
        pair_up(scores, query, row, key, column, left, right);
        pair_up(products, gradient, row, value, column, left, right);
#pragma unroll
        for (int i = 0; i < PER; i++) {
            i64 at = row + ROW + i * 16;
            SUM logarithm = of_query(a.logarithms, a.logarithm_strides, batch, head, at, a.queries);
            SUM less = of_query(a.less, a.less_strides, batch, head, at, a.queries);
#pragma unroll
            for (int j = 0; j < PER; j++) {
                i64 to = column + COLUMN + j * 16;
                Pair pair = pair_of(mask, a.mask_strides, at, to, a.queries, a.keys, scale * scores[i][j]);
                pairs[ROW + i * 16][COLUMN + j * 16] =
                    pair.seen ? EXP(pair.score - logarithm) * (products[i][j] - less) : 0;
            }
        }
        gather(sums, pairs, key, column, from, chunk);
    }
    store(a.to_query + (batch * a.heads + head) * a.queries * a.features, row, a.queries, from, a.features, scale, sums);
}
#else
extern "C" __global__ void __launch_bounds__(256) attention_gradient(const Arguments a)
{
    __shared__ SUM left[DEPTH][TILE + 1];
    __shared__ SUM right[DEPTH][TILE + 1];
    __shared__ SUM pairs[TILE][TILE + 1];
    __shared__ SUM chunk[DEPTH][ACROSS];
    i64 row = blockIdx.x % a.tiles * TILE;
    i64 from = blockIdx.x / a.tiles % a.chunks * ACROSS;
    i64 groups = a.heads / a.shared;
    i64 group = blockIdx.x / a.tiles / a.chunks % groups;
    i64 batch = blockIdx.x / a.tiles / a.chunks / groups;
    Rows key = rows_of(a.key, a.key_strides, batch, group, a.keys, a.features);
    Rows value = rows_of(a.value, a.value_strides, batch, group, a.keys, a.values);
    SUM scale = (SUM) a.scale;
    SUM scores[PER][PER];
    SUM products[PER][PER];
    SUM of_keys[PARTS][PER][PER];
    SUM of_values[PARTS][PER][PER];
#pragma unroll
    for (int i = 0; i < PARTS * PER * PER; i++) {
        of_keys[i / PER / PER][i / PER % PER][i % PER] = 0;
        of_values[i / PER / PER][i / PER % PER][i % PER] = 0;
    }
    for (i64 head = group * a.shared; head < (group + 1) * a.shared; head++) {
        Rows query = rows_of(a.query, a.query_strides, batch, head, a.queries, a.features);
        Rows gradient = rows_of(a.gradient, a.gradient_strides, batch, head, a.queries, a.values);
        const MASKED *mask = MASK ? a.mask + batch * a.mask_strides[0] + head * a.mask_strides[1] : 0;
        // With a causal mask, no query before the tile's first key sees a key of the tile.
        for (i64 column = CAUSAL ? row : 0; column < a.queries; column += TILE) {
            pair_up(scores, key, row, query, column, left, right);
            pair_up(products, value, row, gradient, column, left, right);
#pragma unroll
            for (int j = 0; j < PER; j++) {
                i64 at = column + COLUMN + j * 16;
                SUM logarithm = of_query(a.logarithms, a.logarithm_strides, batch, head, at, a.queries);
                SUM less = of_query(a.less, a.less_strides, batch, head, at, a.queries);
#pragma unroll
                for (int i = 0; i < PER; i++) {
                    i64 to = row + ROW + i * 16;
                    Pair pair = pair_of(mask, a.mask_strides, at, to, a.queries, a.keys, scale * scores[i][j]);
                    SUM weight = pair.seen ? EXP(pair.score - logarithm) : 0;
                    pairs[ROW + i * 16][COLUMN + j * 16] = weight;
                    scores[i][j] = pair.seen ? weight * (products[i][j] - less) : 0;
                }
            }
            gather(of_values, pairs, gradient, column, from, chunk);
            // All threads have read the weights, so the gradients of the scores may replace them.
            __syncthreads();
#pragma unroll
            for (int i = 0; i < PER * PER; i++) {
                pairs[ROW + i / PER * 16][COLUMN + i % PER * 16] = scores[i / PER][i % PER];
            }
            gather(of_keys, pairs, query, column, from, chunk);
        }
    }
    i64 first = (batch * groups + group) * a.keys;
    store(a.to_key + first * a.features, row, a.keys, from, a.features, scale, of_keys);
    store(a.to_value + first * a.values, row, a.keys, from, a.values, 1, of_values);
}
#endif
