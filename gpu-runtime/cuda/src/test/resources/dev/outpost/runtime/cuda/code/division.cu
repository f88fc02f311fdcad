#define INDEX i64
[VALUES, INTEGERS]
typedef struct {
    i8 *out0;
    const i8 *in0;
    const i8 *in1;
    i64 count;
    u64 *refused;
} Arguments;
FN void element(i32 x0, i32 x1, i32 *y0, int *refused)
{
    *refused |= x1 == 0;
    const i32 v0 = i8_round(floor_divide_i32(x0, x1));
    *y0 = v0;
}

extern "C" __global__ void map(const Arguments a)
{
    const i64 first = THREAD;
    if (first >= a.count) {
        return;
    }
    const i64 i0 = first;
    i8 *to_out0 = a.out0 + i0;
    const i8 *from_in0 = a.in0 + i0;
    const i8 *from_in1 = a.in1 + i0;
    {
        i32 y0;
        int refused = 0;
        element(i8_load(from_in0[0]), i8_load(from_in1[0]), &y0, &refused);
        to_out0[0] = i8_store(y0);
        if (refused) {
            atomicMin(a.refused, (u64) (first));
        }
    }
}
