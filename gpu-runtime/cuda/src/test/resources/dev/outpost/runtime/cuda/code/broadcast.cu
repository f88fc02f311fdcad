#define INDEX u32
[VALUES, FLOATS]
typedef struct __align__(4) { bf16 v[2]; } bf16x2;
typedef struct {
    bf16 *out0;
    const bf16 *in0;
    const bf16 *in1;
    const bf16 *in2;
    i64 count;
    i64 size1;
    i64 out0_0;
    i64 in0_0;
    i64 in1_0;
    i64 in2_0;
    i64 in2_1;
} Arguments;
FN void element(f32 x0, f32 x1, f32 x2, f32 *y0)
{
    const f32 v0 = bf16_round(sub_f32(x0, x1));
    const f32 v1 = bf16_round(mul_f32(v0, x2));
    *y0 = v1;
}

extern "C" __global__ void map(const Arguments a)
{
    const i64 first = THREAD * 2;
    if (first >= a.count) {
        return;
    }
    INDEX rest = (INDEX) first;
    const i64 i1 = rest % (INDEX) a.size1;
    rest /= (INDEX) a.size1;
    const i64 i0 = rest;
    bf16 *to_out0 = a.out0 + i0 * a.out0_0 + i1;
    const bf16 *from_in0 = a.in0 + i0 * a.in0_0 + i1;
    const bf16 *from_in1 = a.in1 + i0 * a.in1_0;
    const bf16 *from_in2 = a.in2 + i0 * a.in2_0 + i1 * a.in2_1;
    bf16x2 out0;
    const bf16x2 in0 = *(const bf16x2 *) from_in0;
    {
        f32 y0;
        element(bf16_load(in0.v[0]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), &y0);
        out0.v[0] = bf16_store(y0);
    }
    {
        f32 y0;
        element(bf16_load(in0.v[1]), bf16_load(from_in1[0]), bf16_load(from_in2[1 * a.in2_1]), &y0);
        out0.v[1] = bf16_store(y0);
    }
    *(bf16x2 *) to_out0 = out0;
}
