// Folds with TEAM threads each: one thread if neighbouring threads fold neighbouring lines; a warp or a block if a line lies along
// neighbouring elements. A long line is cut into slices, and the folds of the slices are folded again. The order of the folds depends only
// on the shape.

typedef struct {
    RESULT *out;
    const STORED *in;
    i64 outputs;
    i64 length;
    i64 slices;
    i64 slice;
    i64 kept_sizes[KEPT];
    i64 kept_strides[KEPT];
    i64 folded_sizes[FOLDED];
    i64 folded_strides[FOLDED];
} Arguments;

FN SUM fold_of_warp(SUM sofar)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        sofar = COMBINE(sofar, __shfl_down_sync(0xffffffffu, sofar, distance));
    }
    return sofar;
}

extern "C" __global__ void reduce(const Arguments a)
{
    i64 line = THREAD / TEAM;
    int member = threadIdx.x % TEAM;
#if TEAM == 1
    if (line >= a.outputs * a.slices) {
        return;
    }
#endif
    // A warp after the last line folds nothing, but takes part in shuffles and barriers.
    i64 output = line % a.outputs;
    i64 first = line < a.outputs * a.slices ? line / a.outputs * a.slice : a.length;
    i64 end = first + a.slice < a.length ? first + a.slice : a.length;
    const STORED *in = a.in + place((INDEX) output, KEPT, a.kept_sizes, a.kept_strides);
    SUM sofar = START;
    for (i64 at = first + member; at < end; at += TEAM) {
        sofar = COMBINE(sofar, TAKE(in[place((INDEX) at, FOLDED, a.folded_sizes, a.folded_strides)]));
    }
#if TEAM > 1
    sofar = fold_of_warp(sofar);
#endif
#if TEAM > 32
    __shared__ SUM warps[TEAM / 32];
    if (member % 32 == 0) {
        warps[member / 32] = sofar;
    }
    __syncthreads();
    if (member < 32) {
        sofar = fold_of_warp(member < TEAM / 32 ? warps[member] : START);
    }
#endif
    if (member == 0 && line < a.outputs * a.slices) {
        a.out[line] = GIVE(sofar);
    }
}
