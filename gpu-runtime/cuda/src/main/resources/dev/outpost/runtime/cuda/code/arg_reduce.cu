// Finds the position of the best element of each line. Of equal elements the first wins, and NaN outranks all. A block processes a line, or
// a slice of one. The best elements of the slices are the candidates of another pass.

typedef struct {
    i64 *out;
    const STORED *in;
    // The positions to compare, `length` for each line; or 0 for all elements.
    const i64 *candidates;
    i64 length;
    i64 stride;
    i64 slices;
    i64 slice;
    i64 kept_sizes[KEPT];
    i64 kept_strides[KEPT];
} Arguments;

FN int outranks(VALUE x, i64 at, VALUE best, i64 best_at)
{
    if (at < 0) {
        return 0;
    }
    if (best_at < 0 || BETTER(x, best)) {
        return 1;
    }
    return at < best_at && !BETTER(best, x);
}

extern "C" __global__ void arg_reduce(const Arguments a)
{
    __shared__ VALUE values[THREADS];
    __shared__ i64 places[THREADS];
    int member = threadIdx.x;
    i64 line = blockIdx.x / a.slices;
    const STORED *in = a.in + place((INDEX) line, KEPT, a.kept_sizes, a.kept_strides);
    const i64 *candidates = a.candidates ? a.candidates + line * a.length : 0;
    i64 first = blockIdx.x % a.slices * a.slice;
    i64 end = first + a.slice < a.length ? first + a.slice : a.length;
    VALUE best = 0;
    i64 best_at = -1;
    for (i64 i = first + member; i < end; i += THREADS) {
        i64 at = candidates ? candidates[i] : i;
        VALUE x = LOAD(in[at * a.stride]);
        if (outranks(x, at, best, best_at)) {
            best = x;
            best_at = at;
        }
    }
    values[member] = best;
    places[member] = best_at;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (member < half && outranks(values[member + half], places[member + half], values[member], places[member])) {
            values[member] = values[member + half];
            places[member] = places[member + half];
        }
        __syncthreads();
    }
    if (member == 0) {
        a.out[blockIdx.x] = places[0];
    }
}
