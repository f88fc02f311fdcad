// Writes elements at the positions that an index chooses along one dimension. Only elements of one line can have the same target. One
// thread processes a short line, in order. The index of a long line was sorted, and one thread processes all elements with the same target,
// in their original order.

typedef struct {
    STORED *out;
    const i64 *index;
    const i64 *places;
    const STORED *source;
    i64 lines;
    i64 length;
    i64 size;
    i64 out_stride;
    i64 index_stride;
    i64 source_stride;
    i64 sizes[RANK];
    i64 out_strides[RANK];
    i64 index_strides[RANK];
    i64 source_strides[RANK];
} Arguments;

extern "C" __global__ void scatter(const Arguments a)
{
    i64 line = THREAD;
    if (line >= a.lines) {
        return;
    }
    STORED *out = a.out + place((INDEX) line, RANK, a.sizes, a.out_strides);
    const i64 *index = a.index + place((INDEX) line, RANK, a.sizes, a.index_strides);
    const STORED *source = a.source + place((INDEX) line, RANK, a.sizes, a.source_strides);
    for (i64 at = 0; at < a.length; at++) {
        i64 chosen = index[at * a.index_stride];
        if (chosen >= 0 && chosen < a.size) {
            STORED *target = out + chosen * a.out_stride;
            *target = JOIN(*target, source[at * a.source_stride]);
        }
    }
}

extern "C" __global__ void scatter_runs(const Arguments a)
{
    i64 thread = THREAD;
    if (thread >= a.lines * a.length) {
        return;
    }
    i64 line = thread % a.lines;
    i64 at = thread / a.lines;
    i64 start = place((INDEX) line, RANK, a.sizes, a.index_strides);
    const i64 *index = a.index + start;
    const i64 *places = a.places + start;
    i64 chosen = index[at * a.index_stride];
    if ((at > 0 && index[(at - 1) * a.index_stride] == chosen) || chosen < 0 || chosen >= a.size) {
        return;
    }
    const STORED *source = a.source + place((INDEX) line, RANK, a.sizes, a.source_strides);
    STORED *target = a.out + place((INDEX) line, RANK, a.sizes, a.out_strides) + chosen * a.out_stride;
    for (; at < a.length && index[at * a.index_stride] == chosen; at++) {
        *target = JOIN(*target, source[places[at * a.index_stride] * a.source_stride]);
    }
}
