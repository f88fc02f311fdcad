// kernel 1 of 1
#define INDEX u32
[VALUES]
[FLOATS]

typedef struct __align__(16) { f32 v[4]; } f32x4;
typedef struct {
    f32 *out0;
    const f32 *in0;
    const f32 *in1;
    const f32 *in2;
    i64 count;
    i64 size1;
    i64 out0_0;
    i64 in0_0;
    i64 in1_0;
    i64 in2_0;
} Arguments;
FN void element(f32 x0, f32 x1, f32 x2, f32 *y0)
{
    const f32 v0 = add_f32(x0, x1);
    const f32 v1 = relu_f32(v0);
    const f32 v2 = mul_f32(v1, x2);
    *y0 = v2;
}

extern "C" __global__ void map(const Arguments a)
{
    const i64 first = THREAD * 4;
    if (first >= a.count) {
        return;
    }
    INDEX rest = (INDEX) first;
    const i64 i1 = rest % (INDEX) a.size1;
    rest /= (INDEX) a.size1;
    const i64 i0 = rest;
    f32 *to_out0 = a.out0 + i0 * a.out0_0 + i1;
    const f32 *from_in0 = a.in0 + i0 * a.in0_0 + i1;
    const f32 *from_in1 = a.in1 + i0 * a.in1_0 + i1;
    const f32 *from_in2 = a.in2 + i0 * a.in2_0 + i1;
    f32x4 out0;
    const f32x4 in0 = *(const f32x4 *) from_in0;
    const f32x4 in1 = *(const f32x4 *) from_in1;
    const f32x4 in2 = *(const f32x4 *) from_in2;
    {
        f32 y0;
        element(f32_load(in0.v[0]), f32_load(in1.v[0]), f32_load(in2.v[0]), &y0);
        out0.v[0] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[1]), f32_load(in1.v[1]), f32_load(in2.v[1]), &y0);
        out0.v[1] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[2]), f32_load(in1.v[2]), f32_load(in2.v[2]), &y0);
        out0.v[2] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[3]), f32_load(in1.v[3]), f32_load(in2.v[3]), &y0);
        out0.v[3] = f32_store(y0);
    }
    *(f32x4 *) to_out0 = out0;
}
