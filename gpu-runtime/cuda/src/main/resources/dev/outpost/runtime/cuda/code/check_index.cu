// Writes the number of the first index that is out of bounds to `refused`, and the other indices, counted from the front, to `out`.

typedef struct {
    i64 *out;
    const i64 *index;
    u64 *refused;
    i64 count;
    i64 lowest;
    i64 size;
    i64 sizes[RANK];
    i64 strides[RANK];
} Arguments;

extern "C" __global__ void check_index(const Arguments a)
{
    i64 at = THREAD;
    if (at >= a.count) {
        return;
    }
    i64 index = a.index[place((INDEX) at, RANK, a.sizes, a.strides)];
    if (index < a.lowest || index >= a.size) {
        atomicMin(a.refused, (u64) at);
    } else if (a.out) {
        a.out[at] = index < 0 ? index + a.size : index;
    }
}
