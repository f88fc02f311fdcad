// kernel 1 of 1
#define INDEX u32
[VALUES]
[FLOATS]

typedef struct __align__(16) { f16 v[8]; } f16x8;
typedef struct {
    f16 *out0;
    const f16 *in0;
    const f16 *in1;
    const f16 *in2;
    i64 count;
} Arguments;
FN void element(f32 x0, f32 x1, f32 x2, f32 *y0)
{
    const f32 v0 = f16_round(add_f32(x0, x1));
    const f32 v1 = f16_round(exp_f32(v0));
    const f32 v2 = f16_round(neg_f32(x2));
    const f32 v3 = f16_round(sigmoid_f32(v2));
    const f32 v4 = f16_round(mul_f32(v1, v3));
    *y0 = v4;
}

extern "C" __global__ void map(const Arguments a)
{
    const i64 first = THREAD * 8;
    if (first >= a.count) {
        return;
    }
    if (first + 8 > a.count) {
        for (i64 at = first; at < a.count; at++) {
            {
                f32 y0;
                element(f16_load(a.in0[at]), f16_load(a.in1[0]), f16_load(a.in2[at]), &y0);
                a.out0[at] = f16_store(y0);
            }
        }
        return;
    }
    const i64 i0 = first;
    f16 *to_out0 = a.out0 + i0;
    const f16 *from_in0 = a.in0 + i0;
    const f16 *from_in1 = a.in1;
    const f16 *from_in2 = a.in2 + i0;
    f16x8 out0;
    const f16x8 in0 = *(const f16x8 *) from_in0;
    const f16x8 in2 = *(const f16x8 *) from_in2;
    {
        f32 y0;
        element(f16_load(in0.v[0]), f16_load(from_in1[0]), f16_load(in2.v[0]), &y0);
        out0.v[0] = f16_store(y0);
    }
    {
        f32 y0;
        element(f16_load(in0.v[1]), f16_load(from_in1[0]), f16_load(in2.v[1]), &y0);
        out0.v[1] = f16_store(y0);
    }
    {
        f32 y0;
        element(f16_load(in0.v[2]), f16_load(from_in1[0]), f16_load(in2.v[2]), &y0);
        out0.v[2] = f16_store(y0);
    }
    {
        f32 y0;
        element(f16_load(in0.v[3]), f16_load(from_in1[0]), f16_load(in2.v[3]), &y0);
        out0.v[3] = f16_store(y0);
    }
    {
        f32 y0;
        element(f16_load(in0.v[4]), f16_load(from_in1[0]), f16_load(in2.v[4]), &y0);
        out0.v[4] = f16_store(y0);
    }
    {
        f32 y0;
        element(f16_load(in0.v[5]), f16_load(from_in1[0]), f16_load(in2.v[5]), &y0);
        out0.v[5] = f16_store(y0);
    }
    {
        f32 y0;
        element(f16_load(in0.v[6]), f16_load(from_in1[0]), f16_load(in2.v[6]), &y0);
        out0.v[6] = f16_store(y0);
    }
    {
        f32 y0;
        element(f16_load(in0.v[7]), f16_load(from_in1[0]), f16_load(in2.v[7]), &y0);
        out0.v[7] = f16_store(y0);
    }
    *(f16x8 *) to_out0 = out0;
}
