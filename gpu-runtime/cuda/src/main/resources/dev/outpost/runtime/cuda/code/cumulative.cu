// Running folds. If a line has TEAM threads, each round processes TEAM elements: each warp scans its elements, and adds the ends of the
// warps before it and the end of the previous round.

typedef struct {
    STORED *out;
    const STORED *in;
    i64 lines;
    i64 length;
    i64 stride;
    i64 out_stride;
    i64 line_sizes[KEPT];
    i64 line_strides[KEPT];
    i64 out_strides[KEPT];
} Arguments;

#if TEAM == 1
extern "C" __global__ void cumulative(const Arguments a)
{
    i64 line = THREAD;
    if (line >= a.lines) {
        return;
    }
    const STORED *in = a.in + place((INDEX) line, KEPT, a.line_sizes, a.line_strides);
    STORED *out = a.out + place((INDEX) line, KEPT, a.line_sizes, a.out_strides);
    SUM sofar = START;
    for (i64 at = 0; at < a.length; at++) {
        sofar = COMBINE(sofar, TAKE(in[at * a.stride]));
        out[at * a.out_stride] = GIVE(sofar);
    }
}
#else
FN SUM scan_of_warp(SUM sofar, int lane)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        SUM before = __shfl_up_sync(0xffffffffu, sofar, distance);
        if (lane >= distance) {
            sofar = COMBINE(before, sofar);
        }
    }
    return sofar;
}

extern "C" __global__ void cumulative(const Arguments a)
{
    __shared__ SUM ends[TEAM / 32];
    int member = threadIdx.x;
    int lane = member % 32;
    int warp = member / 32;
    const STORED *in = a.in + place((INDEX) blockIdx.x, KEPT, a.line_sizes, a.line_strides);
    STORED *out = a.out + place((INDEX) blockIdx.x, KEPT, a.line_sizes, a.out_strides);
    SUM before = START;
    for (i64 first = 0; first < a.length; first += TEAM) {
        i64 at = first + member;
        SUM sofar = scan_of_warp(at < a.length ? TAKE(in[at * a.stride]) : START, lane);
        if (lane == 31) {
            ends[warp] = sofar;
        }
        __syncthreads();
        SUM all = before;
        for (int other = 0; other < TEAM / 32; other++) {
            if (other == warp) {
                sofar = COMBINE(all, sofar);
            }
            all = COMBINE(all, ends[other]);
        }
        if (at < a.length) {
            out[at * a.out_stride] = GIVE(sofar);
        }
        before = all;
        __syncthreads();
    }
}
#endif
