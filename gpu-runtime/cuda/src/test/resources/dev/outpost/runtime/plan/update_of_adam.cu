// kernel 1 of 1
#define INDEX u32
[VALUES]
[FLOATS]

typedef struct __align__(16) { f32 v[4]; } f32x4;
typedef struct {
    f32 *out0;
    f32 *out1;
    f32 *out2;
    const f32 *in0;
    const f32 *in1;
    const f32 *in2;
    const f32 *in3;
    const f32 *in4;
    const f32 *in5;
    const f32 *in6;
    const f32 *in7;
    const f32 *in8;
    const f32 *in9;
    const f32 *in10;
    i64 count;
} Arguments;
FN void element(f32 x0, f32 x1, f32 x2, f32 x3, f32 x4, f32 x5, f32 x6, f32 x7, f32 x8, f32 x9, f32 x10, f32 *y0, f32 *y1, f32 *y2)
{
    const f32 v0 = mul_f32(x0, x1);
    const f32 v1 = mul_f32(x2, x3);
    const f32 v2 = add_f32(v0, v1);
    const f32 v3 = mul_f32(x2, x2);
    const f32 v4 = mul_f32(x4, x5);
    const f32 v5 = mul_f32(v3, x6);
    const f32 v6 = add_f32(v4, v5);
    const f32 v7 = mul_f32(v6, x7);
    const f32 v8 = sqrt_f32(v7);
    const f32 v9 = add_f32(v8, x8);
    const f32 v10 = div_f32(v2, v9);
    const f32 v11 = mul_f32(v10, x9);
    const f32 v12 = sub_f32(x10, v11);
    *y0 = v2;
    *y1 = v6;
    *y2 = v12;
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
                f32 y1;
                f32 y2;
                element(f32_load(a.in0[at]), f32_load(a.in1[0]), f32_load(a.in2[at]), f32_load(a.in3[0]), f32_load(a.in4[at]), f32_load(a.in5[0]), f32_load(a.in6[0]), f32_load(a.in7[0]), f32_load(a.in8[0]), f32_load(a.in9[0]), f32_load(a.in10[at]), &y0, &y1, &y2);
                a.out0[at] = f32_store(y0);
                a.out1[at] = f32_store(y1);
                a.out2[at] = f32_store(y2);
            }
        }
        return;
    }
    const i64 i0 = first;
    f32 *to_out0 = a.out0 + i0;
    f32 *to_out1 = a.out1 + i0;
    f32 *to_out2 = a.out2 + i0;
    const f32 *from_in0 = a.in0 + i0;
    const f32 *from_in1 = a.in1;
    const f32 *from_in2 = a.in2 + i0;
    const f32 *from_in3 = a.in3;
    const f32 *from_in4 = a.in4 + i0;
    const f32 *from_in5 = a.in5;
    const f32 *from_in6 = a.in6;
    const f32 *from_in7 = a.in7;
    const f32 *from_in8 = a.in8;
    const f32 *from_in9 = a.in9;
    const f32 *from_in10 = a.in10 + i0;
    f32x4 out0;
    f32x4 out1;
    f32x4 out2;
    const f32x4 in0 = *(const f32x4 *) from_in0;
    const f32x4 in2 = *(const f32x4 *) from_in2;
    const f32x4 in4 = *(const f32x4 *) from_in4;
    const f32x4 in10 = *(const f32x4 *) from_in10;
    {
        f32 y0;
        f32 y1;
        f32 y2;
        element(f32_load(in0.v[0]), f32_load(from_in1[0]), f32_load(in2.v[0]), f32_load(from_in3[0]), f32_load(in4.v[0]), f32_load(from_in5[0]), f32_load(from_in6[0]), f32_load(from_in7[0]), f32_load(from_in8[0]), f32_load(from_in9[0]), f32_load(in10.v[0]), &y0, &y1, &y2);
        out0.v[0] = f32_store(y0);
        out1.v[0] = f32_store(y1);
        out2.v[0] = f32_store(y2);
    }
    {
        f32 y0;
        f32 y1;
        f32 y2;
        element(f32_load(in0.v[1]), f32_load(from_in1[0]), f32_load(in2.v[1]), f32_load(from_in3[0]), f32_load(in4.v[1]), f32_load(from_in5[0]), f32_load(from_in6[0]), f32_load(from_in7[0]), f32_load(from_in8[0]), f32_load(from_in9[0]), f32_load(in10.v[1]), &y0, &y1, &y2);
        out0.v[1] = f32_store(y0);
        out1.v[1] = f32_store(y1);
        out2.v[1] = f32_store(y2);
    }
    {
        f32 y0;
        f32 y1;
        f32 y2;
        element(f32_load(in0.v[2]), f32_load(from_in1[0]), f32_load(in2.v[2]), f32_load(from_in3[0]), f32_load(in4.v[2]), f32_load(from_in5[0]), f32_load(from_in6[0]), f32_load(from_in7[0]), f32_load(from_in8[0]), f32_load(from_in9[0]), f32_load(in10.v[2]), &y0, &y1, &y2);
        out0.v[2] = f32_store(y0);
        out1.v[2] = f32_store(y1);
        out2.v[2] = f32_store(y2);
    }
    {
        f32 y0;
        f32 y1;
        f32 y2;
        element(f32_load(in0.v[3]), f32_load(from_in1[0]), f32_load(in2.v[3]), f32_load(from_in3[0]), f32_load(in4.v[3]), f32_load(from_in5[0]), f32_load(from_in6[0]), f32_load(from_in7[0]), f32_load(from_in8[0]), f32_load(from_in9[0]), f32_load(in10.v[3]), &y0, &y1, &y2);
        out0.v[3] = f32_store(y0);
        out1.v[3] = f32_store(y1);
        out2.v[3] = f32_store(y2);
    }
    *(f32x4 *) to_out0 = out0;
    *(f32x4 *) to_out1 = out1;
    *(f32x4 *) to_out2 = out2;
}
