// What attention and its gradients have in common. A block has a tile of TILE rows (queries, or keys) and goes through the other
// ones, TILE at a time. Pairs of the two are numbers that a thread has PER x PER of; rows that come of them have TILE x PARTS
// features a block, of which a thread has PER x PER x PARTS.

#define DEPTH 16
#define ACROSS (TILE * PARTS)
#define COLUMN (threadIdx.x % 16)
#define ROW (threadIdx.x / 16)
#define NOTHING_SEEN (-(SUM) INFINITE_F64)

// Rows of one head: the distance from one to the next, and from one feature to the next.
typedef struct {
    const STORED *first;
    i64 row;
    i64 feature;
    i64 rows;
    i64 features;
} Rows;

FN Rows rows_of(const STORED *array, const i64 *strides, i64 batch, i64 head, i64 rows, i64 features)
{
    Rows all;
    all.first = array + batch * strides[0] + head * strides[1];
    all.row = strides[2];
    all.feature = strides[3];
    all.rows = rows;
    all.features = features;
    return all;
}

// DEPTH features of a tile of rows, 0 where there are none.
FN void load_features(SUM (*to)[TILE + 1], Rows from, i64 row, i64 feature)
{
#pragma unroll
    for (int load = 0; load < TILE * DEPTH / THREADS; load++) {
        int number = load * THREADS + threadIdx.x;
        int r = number / DEPTH;
        int f = number % DEPTH;
        to[f][r] = row + r < from.rows && feature + f < from.features
            ? TAKE(from.first[(row + r) * from.row + (feature + f) * from.feature])
            : 0;
    }
}

// Sums over all features of rows times rows: for each of the first tile with each of the second.
FN void pair_up(SUM (*sums)[PER], Rows first, i64 row, Rows second, i64 column, SUM (*left)[TILE + 1], SUM (*right)[TILE + 1])
{
#pragma unroll
    for (int i = 0; i < PER * PER; i++) {
        sums[i / PER][i % PER] = 0;
    }
    for (i64 feature = 0; feature < first.features; feature += DEPTH) {
        // Behind it nobody works on what was there before.
        __syncthreads();
        load_features(left, first, row, feature);
        load_features(right, second, column, feature);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
#pragma unroll
            for (int i = 0; i < PER; i++) {
#pragma unroll
                for (int j = 0; j < PER; j++) {
                    sums[i][j] = MULTIPLY_ADD(left[k][ROW + i * 16], right[k][COLUMN + j * 16], sums[i][j]);
                }
            }
        }
    }
}

// Adds rows to rows, each as many times as the pair of the two says; features from the given one on.
FN void gather(SUM (*sums)[PER][PER], SUM (*pairs)[TILE + 1], Rows from, i64 row, i64 feature, SUM (*chunk)[ACROSS])
{
    for (int first = 0; first < TILE && row + first < from.rows; first += DEPTH) {
        // Behind it all pairs are there, and nobody works on the rows before.
        __syncthreads();
#pragma unroll
        for (int load = 0; load < DEPTH * ACROSS / THREADS; load++) {
            int number = load * THREADS + threadIdx.x;
            int r = number / ACROSS;
            int f = number % ACROSS;
            chunk[r][f] = row + first + r < from.rows && feature + f < from.features
                ? TAKE(from.first[(row + first + r) * from.row + (feature + f) * from.feature])
                : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
#pragma unroll
            for (int i = 0; i < PER; i++) {
                SUM pair = pairs[ROW + i * 16][first + k];
#pragma unroll
                for (int part = 0; part < PARTS; part++) {
#pragma unroll
                    for (int j = 0; j < PER; j++) {
                        sums[part][i][j] =
                            MULTIPLY_ADD(pair, chunk[k][part * TILE + COLUMN + j * 16], sums[part][i][j]);
                    }
                }
            }
        }
    }
}

// The score of a query and a key, and whether the one sees the other; the mask has no place for what is not there.
typedef struct {
    SUM score;
    int seen;
} Pair;

FN Pair pair_of(const MASKED *mask, const i64 *strides, i64 query, i64 key, i64 queries, i64 keys, SUM score)
{
    Pair pair;
    pair.score = score;
    pair.seen = query < queries && key < keys && (!CAUSAL || key <= query);
#if MASK == 1
    pair.seen = pair.seen && mask[query * strides[2] + key * strides[3]] != 0;
#elif MASK == 2
    pair.score = pair.seen ? score + TAKE(mask[query * strides[2] + key * strides[3]]) : score;
#endif
    return pair;
}
