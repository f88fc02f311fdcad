// kernel 1 of 1
#define INDEX u32
[VALUES]
[FLOATS]

typedef struct __align__(16) { f64 v[2]; } f64x2;
typedef struct {
    f64 *out0;
    const f64 *in0;
    const f64 *in1;
    const f64 *in2;
    i64 count;
} Arguments;
FN void element(f64 x0, f64 x1, f64 x2, f64 *y0)
{
    const f64 v0 = mul_f64(x0, x1);
    const f64 v1 = sub_f64(x2, v0);
    *y0 = v1;
}

extern "C" __global__ void map(const Arguments a)
{
    const i64 first = THREAD * 2;
    if (first >= a.count) {
        return;
    }
    if (first + 2 > a.count) {
        for (i64 at = first; at < a.count; at++) {
            {
                f64 y0;
                element(f64_load(a.in0[at]), f64_load(a.in1[0]), f64_load(a.in2[at]), &y0);
                a.out0[at] = f64_store(y0);
            }
        }
        return;
    }
    const i64 i0 = first;
    f64 *to_out0 = a.out0 + i0;
    const f64 *from_in0 = a.in0 + i0;
    const f64 *from_in1 = a.in1;
    const f64 *from_in2 = a.in2 + i0;
    f64x2 out0;
    const f64x2 in0 = *(const f64x2 *) from_in0;
    const f64x2 in2 = *(const f64x2 *) from_in2;
    {
        f64 y0;
        element(f64_load(in0.v[0]), f64_load(from_in1[0]), f64_load(in2.v[0]), &y0);
        out0.v[0] = f64_store(y0);
    }
    {
        f64 y0;
        element(f64_load(in0.v[1]), f64_load(from_in1[0]), f64_load(in2.v[1]), &y0);
        out0.v[1] = f64_store(y0);
    }
    *(f64x2 *) to_out0 = out0;
}
