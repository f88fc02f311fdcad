#ifndef ROWS
#define ROWS TILE
#endif

// Returns the end of the keys that any of ROWS queries sees. Goes back from the given end by tiles of keys, so the result may be too large
// by less than a tile.
FN i64 end_of_seen(const MASKED *mask, const i64 *strides, i64 row, i64 queries, i64 end)
{
#if MASK == 1
    __shared__ int seen;
    for (; end > 0; end = (end - 1) / TILE * TILE) {
        i64 first = (end - 1) / TILE * TILE;
        // After this barrier all threads have read the previous result.
        __syncthreads();
        if (threadIdx.x == 0) {
            seen = 0;
        }
        __syncthreads();
        for (int pair = threadIdx.x; pair < ROWS * TILE; pair += THREADS) {
            i64 query = row + pair / TILE;
            i64 key = first + pair % TILE;
            if (query < queries && key < end && mask[query * strides[2] + key * strides[3]] != 0) {
                seen = 1;
            }
        }
        __syncthreads();
        if (seen) {
            break;
        }
    }
#endif
    return end;
}
