// kernel 1 of 1
#define INDEX u32
[VALUES]
[FLOATS]
[POLYNOMIALS]
[ERROR_FUNCTIONS]

typedef struct __align__(16) { bf16 v[8]; } bf16x8;
typedef struct {
    bf16 *out0;
    const bf16 *in0;
    const bf16 *in1;
    const bf16 *in2;
    const bf16 *in3;
    const bf16 *in4;
    const bf16 *in5;
    const bf16 *in6;
    i64 count;
} Arguments;
FN void element(f32 x0, f32 x1, f32 x2, f32 x3, f32 x4, f32 x5, f32 x6, f32 *y0)
{
    const f32 v0 = bf16_round(mul_f32(x0, x1));
    const f32 v1 = bf16_round(erf_f32(v0));
    const f32 v2 = bf16_round(add_f32(v1, x2));
    const f32 v3 = bf16_round(mul_f32(v2, x3));
    const f32 v4 = bf16_round(mul_f32(x0, x0));
    const f32 v5 = bf16_round(mul_f32(v4, x4));
    const f32 v6 = bf16_round(exp_f32(v5));
    const f32 v7 = bf16_round(mul_f32(v6, x5));
    const f32 v8 = bf16_round(mul_f32(x0, v7));
    const f32 v9 = bf16_round(add_f32(v3, v8));
    const f32 v10 = bf16_round(mul_f32(x6, v9));
    *y0 = v10;
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
                element(bf16_load(a.in0[at]), bf16_load(a.in1[0]), bf16_load(a.in2[0]), bf16_load(a.in3[0]), bf16_load(a.in4[0]), bf16_load(a.in5[0]), bf16_load(a.in6[at]), &y0);
                a.out0[at] = bf16_store(y0);
            }
        }
        return;
    }
    const i64 i0 = first;
    bf16 *to_out0 = a.out0 + i0;
    const bf16 *from_in0 = a.in0 + i0;
    const bf16 *from_in1 = a.in1;
    const bf16 *from_in2 = a.in2;
    const bf16 *from_in3 = a.in3;
    const bf16 *from_in4 = a.in4;
    const bf16 *from_in5 = a.in5;
    const bf16 *from_in6 = a.in6 + i0;
    bf16x8 out0;
    const bf16x8 in0 = *(const bf16x8 *) from_in0;
    const bf16x8 in6 = *(const bf16x8 *) from_in6;
    {
        f32 y0;
        element(bf16_load(in0.v[0]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), bf16_load(from_in3[0]), bf16_load(from_in4[0]), bf16_load(from_in5[0]), bf16_load(in6.v[0]), &y0);
        out0.v[0] = bf16_store(y0);
    }
    {
        f32 y0;
        element(bf16_load(in0.v[1]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), bf16_load(from_in3[0]), bf16_load(from_in4[0]), bf16_load(from_in5[0]), bf16_load(in6.v[1]), &y0);
        out0.v[1] = bf16_store(y0);
    }
    {
        f32 y0;
        element(bf16_load(in0.v[2]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), bf16_load(from_in3[0]), bf16_load(from_in4[0]), bf16_load(from_in5[0]), bf16_load(in6.v[2]), &y0);
        out0.v[2] = bf16_store(y0);
    }
    {
        f32 y0;
        element(bf16_load(in0.v[3]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), bf16_load(from_in3[0]), bf16_load(from_in4[0]), bf16_load(from_in5[0]), bf16_load(in6.v[3]), &y0);
        out0.v[3] = bf16_store(y0);
    }
    {
        f32 y0;
        element(bf16_load(in0.v[4]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), bf16_load(from_in3[0]), bf16_load(from_in4[0]), bf16_load(from_in5[0]), bf16_load(in6.v[4]), &y0);
        out0.v[4] = bf16_store(y0);
    }
    {
        f32 y0;
        element(bf16_load(in0.v[5]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), bf16_load(from_in3[0]), bf16_load(from_in4[0]), bf16_load(from_in5[0]), bf16_load(in6.v[5]), &y0);
        out0.v[5] = bf16_store(y0);
    }
    {
        f32 y0;
        element(bf16_load(in0.v[6]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), bf16_load(from_in3[0]), bf16_load(from_in4[0]), bf16_load(from_in5[0]), bf16_load(in6.v[6]), &y0);
        out0.v[6] = bf16_store(y0);
    }
    {
        f32 y0;
        element(bf16_load(in0.v[7]), bf16_load(from_in1[0]), bf16_load(from_in2[0]), bf16_load(from_in3[0]), bf16_load(from_in4[0]), bf16_load(from_in5[0]), bf16_load(in6.v[7]), &y0);
        out0.v[7] = bf16_store(y0);
    }
    *(bf16x8 *) to_out0 = out0;
}
