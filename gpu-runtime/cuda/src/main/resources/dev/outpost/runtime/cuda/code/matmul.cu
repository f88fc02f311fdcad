// Products of matrices in tiles, for cases that cuBLASLt does not support.

#define TILE 16

typedef struct {
    STORED *out;
    const STORED *left;
    const STORED *right;
    i64 rows;
    i64 columns;
    i64 inner;
    i64 left_batch;
    i64 left_row;
    i64 left_inner;
    i64 right_batch;
    i64 right_inner;
    i64 right_column;
    i64 tiles_down;
    i64 tiles_across;
} Arguments;

extern "C" __global__ void matmul(const Arguments a)
{
    __shared__ SUM left[TILE][TILE + 1];
    __shared__ SUM right[TILE][TILE + 1];
    int y = threadIdx.x / TILE;
    int x = threadIdx.x % TILE;
    i64 tile = blockIdx.x;
    i64 batch = tile / (a.tiles_down * a.tiles_across);
    i64 row = tile / a.tiles_across % a.tiles_down * TILE + y;
    i64 column = tile % a.tiles_across * TILE + x;
    const STORED *from_left = a.left + batch * a.left_batch + row * a.left_row;
    const STORED *from_right = a.right + batch * a.right_batch + column * a.right_column;
    SUM sum = 0;
    for (i64 first = 0; first < a.inner; first += TILE) {
        left[y][x] = row < a.rows && first + x < a.inner ? TAKE(from_left[(first + x) * a.left_inner]) : 0;
        right[y][x] = column < a.columns && first + y < a.inner ? TAKE(from_right[(first + y) * a.right_inner]) : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum = MULTIPLY_ADD(left[y][k], right[k][x], sum);
        }
        __syncthreads();
    }
    if (row < a.rows && column < a.columns) {
        a.out[(batch * a.rows + row) * a.columns + column] = GIVE(sum);
    }
}
