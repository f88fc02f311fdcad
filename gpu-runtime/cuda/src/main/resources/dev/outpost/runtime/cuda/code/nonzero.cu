// Finds the positions of the elements that are not zero. First each block counts such elements in its part. After the counts have been
// summed up, each block knows where to write.

typedef struct {
    i64 *counts;
    const STORED *in;
    i64 *out;
    i64 count;
    i64 most;
    i64 sizes[RANK];
    i64 strides[RANK];
} Arguments;

FN int is_chosen(const Arguments *a, i64 at)
{
    return at < a->count && nonzero(LOAD(a->in[place((INDEX) at, RANK, a->sizes, a->strides)]));
}

extern "C" __global__ void nonzero_counts(const Arguments a)
{
    __shared__ int counts[THREADS];
    int member = threadIdx.x;
    counts[member] = is_chosen(&a, THREAD);
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (member < half) {
            counts[member] += counts[member + half];
        }
        __syncthreads();
    }
    if (member == 0) {
        a.counts[blockIdx.x] = counts[0];
    }
}

extern "C" __global__ void nonzero_places(const Arguments a)
{
    __shared__ int before[THREADS];
    int member = threadIdx.x;
    i64 at = THREAD;
    int chosen = is_chosen(&a, at);
    before[member] = chosen;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        int more = member >= distance ? before[member - distance] : 0;
        __syncthreads();
        before[member] += more;
        __syncthreads();
    }
    i64 row = before[member] - 1 + (blockIdx.x == 0 ? 0 : a.counts[blockIdx.x - 1]);
    if (chosen && row < a.most) {
        i64 rest = at;
        for (int dim = DIMS - 1; dim >= 0; dim--) {
            a.out[row * DIMS + dim] = rest % a.sizes[dim];
            rest /= a.sizes[dim];
        }
    }
}
