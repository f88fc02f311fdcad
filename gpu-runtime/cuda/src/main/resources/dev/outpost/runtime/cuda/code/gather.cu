// Copies the elements that an index chooses along one dimension. The index was checked; nothing is read at an index that failed.

typedef struct {
    STORED *out;
    const STORED *in;
    const i64 *index;
    i64 count;
    i64 size;
    i64 stride;
    i64 sizes[RANK];
    i64 in_strides[RANK];
    i64 index_strides[RANK];
} Arguments;

extern "C" __global__ void gather(const Arguments a)
{
    i64 at = THREAD;
    if (at >= a.count) {
        return;
    }
    i64 chosen = a.index[place((INDEX) at, RANK, a.sizes, a.index_strides)];
    if (chosen >= 0 && chosen < a.size) {
        a.out[at] = a.in[place((INDEX) at, RANK, a.sizes, a.in_strides) + chosen * a.stride];
    }
}
