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
} Arguments;
FN void element(f32 x0, f32 x1, f32 x2, f32 *y0)
{
    const f32 v0 = mul_f32(x0, x1);
    const f32 v1 = add_f32(v0, x2);
    const f32 v2 = relu_f32(v1);
    const f32 v3 = tanh_f32(v2);
    *y0 = v3;
}

extern "C" __global__ void map(const Arguments a)
{
    const i64 first = THREAD * 4;
    if (first >= a.count) {
        return;
    }
    if (first + 4 > a.count) {
        for (i64 at = first; at < a.count; at++) {
            {
                f32 y0;
                element(f32_load(a.in0[at]), f32_load(a.in1[0]), f32_load(a.in2[0]), &y0);
                a.out0[at] = f32_store(y0);
            }
        }
        return;
    }
    const i64 i0 = first;
    f32 *to_out0 = a.out0 + i0;
    const f32 *from_in0 = a.in0 + i0;
    const f32 *from_in1 = a.in1;
    const f32 *from_in2 = a.in2;
    f32x4 out0;
    const f32x4 in0 = *(const f32x4 *) from_in0;
    {
        f32 y0;
        element(f32_load(in0.v[0]), f32_load(from_in1[0]), f32_load(from_in2[0]), &y0);
        out0.v[0] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[1]), f32_load(from_in1[0]), f32_load(from_in2[0]), &y0);
        out0.v[1] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[2]), f32_load(from_in1[0]), f32_load(from_in2[0]), &y0);
        out0.v[2] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[3]), f32_load(from_in1[0]), f32_load(from_in2[0]), &y0);
        out0.v[3] = f32_store(y0);
    }
    *(f32x4 *) to_out0 = out0;
}
