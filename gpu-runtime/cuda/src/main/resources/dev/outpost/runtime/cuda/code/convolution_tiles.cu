// A convolution, or one of its gradients, as a product of two matrices that are never stored: a tile reads their elements from the
// operands. A block computes TILE x TILE elements of the result, each thread PER x PER of them.
//
//   result   down                                across               summed over
//   output   its positions                       its channels         elements of a channel's kernel
//   input    its positions                       its channels         elements of an output channel's kernel
//   weight   elements of a channel's kernel      output channels      the output's positions
//
// The kernel slides over the left operand: the input, or for the gradient of the input the output. The other operand is the right one.

#define TILE 64
#define DEPTH 16
#define PER 4

typedef struct {
    RESULT *result;
    const STORED *left;
    const STORED *right;
    i64 down;
    i64 across;
    i64 inner;
    i64 tiles_down;
    i64 tiles_across;
    i64 groups;
    i64 slice;
    i64 count;
    i64 down_sizes[2];
    i64 inner_sizes[2];
    i64 left_sizes[2];
    i64 left_strides[5];
    i64 right_strides[5];
    i64 result_strides[5];
    i64 strides[2];
    i64 paddings[2];
    i64 dilations[2];
} Arguments;

// The meaning of an index along `down` or `inner`: a plane (an image or a channel) and the position in it.
typedef struct {
    i64 plane, y, x;
} Place;

FN Place place_of(i64 number, const i64 *sizes)
{
    INDEX row = (INDEX) number / (INDEX) sizes[1];
    Place place;
    place.x = (INDEX) number - row * (INDEX) sizes[1];
    place.plane = row / (INDEX) sizes[0];
    place.y = row - (INDEX) place.plane * (INDEX) sizes[0];
    return place;
}

// Returns the position, along one dimension of the left operand, at which an element of the kernel lies; -1 if it lies outside.
#if RESULT_IS == 1
FN i64 tap(i64 place, i64 element, i64 stride, i64 padding, i64 dilation, i64 size)
{
    i64 at = place + padding - element * dilation;
    if (at < 0) {
        return -1;
    }
    INDEX over = (INDEX) at / (INDEX) stride;
    return over * (INDEX) stride == (INDEX) at && over < (INDEX) size ? (i64) over : -1;
}
#else
FN i64 tap(i64 place, i64 element, i64 stride, i64 padding, i64 dilation, i64 size)
{
    i64 at = place * stride - padding + element * dilation;
    return at >= 0 && at < size ? at : -1;
}
#endif

FN i64 at5(const i64 *strides, i64 group, i64 first, i64 second, i64 y, i64 x)
{
    return group * strides[0] + first * strides[1] + second * strides[2] + y * strides[3] + x * strides[4];
}

FN SUM on_the_left(const Arguments *a, i64 group, Place down, Place inner)
{
    Place position = RESULT_IS == 2 ? inner : down;
    Place element = RESULT_IS == 2 ? down : inner;
    i64 y = tap(position.y, element.y, a->strides[0], a->paddings[0], a->dilations[0], a->left_sizes[0]);
    i64 x = tap(position.x, element.x, a->strides[1], a->paddings[1], a->dilations[1], a->left_sizes[1]);
    if (y < 0 || x < 0) {
        return 0;
    }
    return TAKE(a->left[at5(a->left_strides, group, down.plane, inner.plane, y, x)]);
}

extern "C" __global__ void convolution_tiles(const Arguments a)
{
    __shared__ SUM left[DEPTH][TILE + 1];
    __shared__ SUM right[DEPTH][TILE + 1];
    __shared__ Place downs[TILE];
    __shared__ Place inners[DEPTH];
    int thread = threadIdx.x;
    int column = thread % (TILE / PER);
    int row = thread / (TILE / PER);
    i64 tile = blockIdx.x;
    i64 down = tile % a.tiles_down * TILE;
    i64 across = tile / a.tiles_down % a.tiles_across * TILE;
    i64 group = tile / a.tiles_down / a.tiles_across % a.groups;
    i64 slice = tile / a.tiles_down / a.tiles_across / a.groups;
    i64 end = (slice + 1) * a.slice < a.inner ? (slice + 1) * a.slice : a.inner;
    SUM sums[PER][PER];
#pragma unroll
    for (int i = 0; i < PER * PER; i++) {
        sums[i / PER][i % PER] = 0;
    }
    if (thread < TILE) {
        downs[thread] = place_of(down + thread, a.down_sizes);
    }
    for (i64 first = slice * a.slice; first < end; first += DEPTH) {
        if (thread < DEPTH) {
            inners[thread] = place_of(first + thread, a.inner_sizes);
        }
        // After this barrier no thread uses the previous tiles, and all places are stored.
        __syncthreads();
#pragma unroll
        for (int load = 0; load < TILE * DEPTH / THREADS; load++) {
            int number = load * THREADS + thread;
            // Neighbouring threads read neighbouring elements: positions of an image, or elements of a kernel.
            int d = RESULT_IS == 2 ? number / DEPTH : number % TILE;
            int k = RESULT_IS == 2 ? number % DEPTH : number / TILE;
            left[k][d] = down + d < a.down && first + k < end ? on_the_left(&a, group, downs[d], inners[k]) : 0;
            d = number / DEPTH;
            k = number % DEPTH;
            Place inner = inners[k];
            right[k][d] = across + d < a.across && first + k < end
                ? TAKE(a.right[at5(a.right_strides, group, across + d, inner.plane, inner.y, inner.x)])
                : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
#pragma unroll
            for (int i = 0; i < PER; i++) {
#pragma unroll
                for (int j = 0; j < PER; j++) {
                    sums[i][j] = MULTIPLY_ADD(
                        left[k][column + i * (TILE / PER)], right[k][row + j * (TILE / PER)], sums[i][j]);
                }
            }
        }
    }
    for (int i = 0; i < PER; i++) {
        int d = column + i * (TILE / PER);
        for (int j = 0; j < PER; j++) {
            i64 c = across + row + j * (TILE / PER);
            if (down + d < a.down && c < a.across) {
                Place place = place_of(down + d, a.down_sizes);
                i64 at = at5(a.result_strides, group, place.plane, c, place.y, place.x);
                a.result[slice * a.count + at] = GIVE(sums[i][j]);
            }
        }
    }
}
