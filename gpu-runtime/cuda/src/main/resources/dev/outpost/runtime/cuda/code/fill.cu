// Writes the bits of one element everywhere. A thread writes 16 bytes at once if they are aligned.

#define MANY (16 / (int) sizeof(STORED))

typedef struct __align__(16) {
    STORED v[MANY];
} Together;

typedef struct {
    STORED *out;
    i64 count;
    i64 value;
} Arguments;

extern "C" __global__ void fill(const Arguments a)
{
    i64 at = THREAD * MANY;
    STORED value = (STORED) a.value;
    if (at + MANY <= a.count && (u64) a.out % 16 == 0) {
        Together all;
#pragma unroll
        for (int i = 0; i < MANY; i++) {
            all.v[i] = value;
        }
        *(Together *) (a.out + at) = all;
        return;
    }
    for (int i = 0; i < MANY && at + i < a.count; i++) {
        a.out[at + i] = value;
    }
}
