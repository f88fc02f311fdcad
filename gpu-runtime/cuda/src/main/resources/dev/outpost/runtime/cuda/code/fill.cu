// One element's bits everywhere.

typedef struct {
    STORED *out;
    i64 count;
    i64 value;
} Arguments;

extern "C" __global__ void fill(const Arguments a)
{
    i64 at = THREAD;
    if (at < a.count) {
        a.out[at] = (STORED) a.value;
    }
}
