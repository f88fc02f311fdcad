// Functions that attention and its gradients share. A block has a tile of TILE rows (queries or keys) and iterates over the rows of the
// other side, TILE at a time. Each pair of rows has a number; a thread has PER x PER of them. A block computes TILE x PARTS features of the
// rows of the result; a thread has PER x PER x PARTS of them.

#define DEPTH 16
#define ACROSS (TILE * PARTS)
#define COLUMN (threadIdx.x % 16)
#define ROW (threadIdx.x / 16)
#define NOTHING_SEEN (-(SUM) INFINITE_F64)

// The rows of one head. `row` is the distance from one row to the next, and `feature` from one feature to the next.
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

// Loads DEPTH features of a tile of rows, and zeros outside of the matrix.
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

// Computes the dot products of each row of the first tile with each row of the second.
FN void pair_up(SUM (*sums)[PER], Rows first, i64 row, Rows second, i64 column, SUM (*left)[TILE + 1], SUM (*right)[TILE + 1])
{
#pragma unroll
    for (int i = 0; i < PER * PER; i++) {
        sums[i / PER][i % PER] = 0;
    }
    for (i64 feature = 0; feature < first.features; feature += DEPTH) {
        // After this barrier no thread uses the previous features.
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

// Adds rows to the sums, each weighted by the number of its pair, from the given feature on.
FN void gather(SUM (*sums)[PER][PER], SUM (*pairs)[TILE + 1], Rows from, i64 row, i64 feature, SUM (*chunk)[ACROSS])
{
    for (int first = 0; first < TILE && row + first < from.rows; first += DEPTH) {
        // After this barrier all pairs are stored, and no thread uses the previous rows.
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

// The score of a query and a key, and whether the query sees the key. The mask has elements only for queries and keys that exist.
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
