#define INDEX u32
[VALUES]
typedef struct {
    u16 *out0;
    const u16 *in0;
    i64 count;
    i64 size1;
    i64 out0_0;
    i64 in0_0;
    i64 in0_1;
} Arguments;
FN void element(u16 x0, u16 *y0)
{
    *y0 = x0;
}

extern "C" __global__ void map(const Arguments a)
{
    const i64 first = THREAD;
    if (first >= a.count) {
        return;
    }
    INDEX rest = (INDEX) first;
    const i64 i1 = rest % (INDEX) a.size1;
    rest /= (INDEX) a.size1;
    const i64 i0 = rest;
    u16 *to_out0 = a.out0 + i0 * a.out0_0 + i1;
    const u16 *from_in0 = a.in0 + i0 * a.in0_0 + i1 * a.in0_1;
    {
        u16 y0;
        element(m16_load(from_in0[0]), &y0);
        to_out0[0] = m16_store(y0);
    }
}
