// Random numbers by Philox, each computed from the number of its element.

typedef struct {
    STORED *out;
    i64 count;
    i64 seed;
    i64 call;
    i64 low;
    i64 high;
    i64 first;
    i64 run;
    i64 stride;
} Arguments;

extern "C" __global__ void random_draws(const Arguments a)
{
    i64 at = THREAD;
    if (at < a.count) {
        a.out[at] = STORE(DRAW(a, ELEMENT(a, at)));
    }
}
