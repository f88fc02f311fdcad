// Copies a range of a value's elements, in order and without gaps.

typedef struct {
    STORED *out;
    const STORED *in;
    i64 first;
    i64 count;
    i64 sizes[RANK];
    i64 strides[RANK];
} Arguments;

extern "C" __global__ void collect(const Arguments a)
{
    i64 at = THREAD;
    if (at < a.count) {
        a.out[at] = a.in[place((INDEX) (a.first + at), RANK, a.sizes, a.strides)];
    }
}
