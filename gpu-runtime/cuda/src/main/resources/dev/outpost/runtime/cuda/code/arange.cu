// start + i * step, in double or in 64-bit integers, rounded once.

typedef struct {
    STORED *out;
    i64 count;
    WIDE start;
    WIDE step;
} Arguments;

extern "C" __global__ void arange(const Arguments a)
{
    i64 at = THREAD;
    if (at < a.count) {
        a.out[at] = STORE(a.start + (WIDE) at * a.step);
    }
}
