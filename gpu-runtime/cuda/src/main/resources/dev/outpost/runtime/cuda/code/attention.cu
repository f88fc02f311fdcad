// Attention. A block has a tile of queries and iterates over the keys. For each query it keeps the largest score so far, and the sum of the
// exponentials relative to it (online softmax). When a larger score comes, the earlier sums are scaled down.

#define LANES (THREADS / TILE)

typedef struct {
    STORED *output;
    SUM *logarithms;
    const STORED *query;
    const STORED *key;
    const STORED *value;
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
    i64 mask_strides[4];
} Arguments;

extern "C" __global__ void __launch_bounds__(256) attention(const Arguments a)
{
    __shared__ SUM left[DEPTH][TILE + 1];
    __shared__ SUM right[DEPTH][TILE + 1];
    __shared__ SUM pairs[TILE][TILE + 1];
    __shared__ SUM chunk[DEPTH][ACROSS];
    __shared__ SUM largest[TILE];
    __shared__ SUM total[TILE];
    __shared__ SUM shrinks[TILE];
    int thread = threadIdx.x;
    // The last tiles come first: with a causal mask they have the most work.
    i64 row = (a.tiles - 1 - blockIdx.x % a.tiles) * TILE;
    i64 from = blockIdx.x / a.tiles % a.chunks * ACROSS;
    i64 head = blockIdx.x / a.tiles / a.chunks % a.heads;
    i64 batch = blockIdx.x / a.tiles / a.chunks / a.heads;
    Rows query = rows_of(a.query, a.query_strides, batch, head, a.queries, a.features);
    Rows key = rows_of(a.key, a.key_strides, batch, head / a.shared, a.keys, a.features);
    Rows value = rows_of(a.value, a.value_strides, batch, head / a.shared, a.keys, a.values);
    const MASKED *mask = MASK ? a.mask + batch * a.mask_strides[0] + head * a.mask_strides[1] : 0;
    SUM scale = (SUM) a.scale;
    SUM scores[PER][PER];
    SUM sums[PARTS][PER][PER];
#pragma unroll
    for (int i = 0; i < PARTS * PER * PER; i++) {
        sums[i / PER / PER][i / PER % PER][i % PER] = 0;
    }
    if (thread < TILE) {
        largest[thread] = NOTHING_SEEN;
        total[thread] = 0;
    }
    i64 end = CAUSAL && row + TILE < a.keys ? row + TILE : a.keys;
    end = end_of_seen(mask, a.mask_strides, row, a.queries, end);
    for (i64 column = 0; column < end; column += TILE) {
        pair_up(scores, query, row, key, column, left, right);
#pragma unroll
        for (int i = 0; i < PER; i++) {
#pragma unroll
            for (int j = 0; j < PER; j++) {
                i64 to = column + COLUMN + j * 16;
                Pair pair = pair_of(
                    mask, a.mask_strides, row + ROW + i * 16, to, a.queries, a.keys, scale * scores[i][j]);
                pairs[ROW + i * 16][COLUMN + j * 16] = pair.seen ? pair.score : NOTHING_SEEN;
            }
        }
        __syncthreads();
        // LANES neighbouring threads work on one query here.
        int mine = thread / LANES;
        SUM most = largest[mine];
        for (int i = thread % LANES; i < TILE; i += LANES) {
            most = pairs[mine][i] > most ? pairs[mine][i] : most;
        }
        for (int distance = LANES / 2; distance > 0; distance /= 2) {
            SUM other = __shfl_xor_sync(0xffffffffu, most, distance);
            most = other > most ? other : most;
        }
        // If the query has seen no key yet, 0 is subtracted, because -inf - -inf would be NaN.
        SUM less = most == NOTHING_SEEN ? 0 : most;
        SUM sum = 0;
        for (int i = thread % LANES; i < TILE; i += LANES) {
            SUM weight = EXP(pairs[mine][i] - less);
            pairs[mine][i] = weight;
            sum += weight;
        }
        for (int distance = LANES / 2; distance > 0; distance /= 2) {
            sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        }
        if (thread % LANES == 0) {
            shrinks[mine] = EXP(largest[mine] - less);
            total[mine] = total[mine] * shrinks[mine] + sum;
            largest[mine] = most;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PER; i++) {
            SUM shrink = shrinks[ROW + i * 16];
#pragma unroll
            for (int part = 0; part < PARTS; part++) {
#pragma unroll
                for (int j = 0; j < PER; j++) {
                    sums[part][i][j] *= shrink;
                }
            }
        }
        gather(sums, pairs, value, column, from, chunk);
    }
    __syncthreads();
    i64 first = (batch * a.heads + head) * a.queries;
#pragma unroll
    for (int i = 0; i < PER; i++) {
        i64 to = row + ROW + i * 16;
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
#pragma unroll
            for (int j = 0; j < PER; j++) {
                i64 feature = from + part * TILE + COLUMN + j * 16;
                if (to < a.queries && feature < a.values) {
                    a.output[(first + to) * a.values + feature] = GIVE(sums[part][i][j] / total[ROW + i * 16]);
                }
            }
        }
    }
    if (from == 0 && thread < TILE && row + thread < a.queries) {
        // The logarithm of a query that sees no key is minus infinity. If the sum is NaN, the logarithm is NaN too.
        int nothing = largest[thread] == NOTHING_SEEN && total[thread] == 0;
        a.logarithms[first + row + thread] = nothing ? NOTHING_SEEN : largest[thread] + LOG(total[thread]);
    }
}
