// kernel 1 of 3
#define INDEX u32
#define TEAM 32
[VALUES]
[FLOATS]
[ROWS]

typedef struct __align__(16) { f32 v[4]; } f32x4;
typedef struct {
    f32 *out0;
    const f32 *in0;
    const f32 *in1;
    const f32 *in2;
    const f32 *in3;
    const f32 *in4;
    const f32 *in5;
    i64 rows;
    i64 columns;
    i64 in0_row;
    i64 in1_row;
    i64 in2_row;
    i64 in3_row;
    i64 in4_row;
    i64 in5_row;
} Arguments;
FOLD(fold_v2, f32, add_f32)
FOLD(fold_v5, f32, add_f32)

extern "C" __global__ void __launch_bounds__(256) rows(const Arguments a)
{
    const i64 row = THREAD / TEAM;
    const int member = threadIdx.x % TEAM;
    const int columns = (int) a.columns;
    if (row >= a.rows) {
        return;
    }
    f32 *__restrict__ to_out0 = a.out0 + row * columns;
    const f32 *__restrict__ from_in0 = a.in0 + row * a.in0_row;
    const f32 *__restrict__ from_in1 = a.in1 + row * a.in1_row;
    const f32 *__restrict__ from_in2 = a.in2 + row * a.in2_row;
    const f32 *__restrict__ from_in3 = a.in3 + row * a.in3_row;
    const f32 *__restrict__ from_in4 = a.in4 + row * a.in4_row;
    const f32 *__restrict__ from_in5 = a.in5 + row * a.in5_row;
    const f32 x3 = f32_load(from_in3[0]);
    const f32 x4 = f32_load(from_in4[0]);
    const f32 x5 = f32_load(from_in5[0]);
    f32 kept_v0[6][4];
    f32 kept_x2[6][4];
    f32 sofar_v2 = 0;
    f32 sofar_v5 = 0;
#pragma unroll
    for (int run = 0; run < 6; run++) {
        const int first = (run * TEAM + member) * 4;
        if (first < columns) {
            const f32x4 in0 = *(const f32x4 *) (from_in0 + first);
            const f32x4 in1 = *(const f32x4 *) (from_in1 + first);
            const f32x4 in2 = *(const f32x4 *) (from_in2 + first);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const f32 x0 = f32_load(in0.v[i]);
                const f32 x1 = f32_load(in1.v[i]);
                const f32 v0 = mul_f32(x0, x1);
                kept_v0[run][i] = v0;
                const f32 x2 = f32_load(in2.v[i]);
                kept_x2[run][i] = x2;
                const f32 v1 = mul_f32(v0, x2);
                sofar_v2 = add_f32(sofar_v2, v1);
                sofar_v5 = add_f32(sofar_v5, v0);
            }
        }
    }
    const f32 v2 = fold_v2(sofar_v2);
    const f32 v5 = fold_v5(sofar_v5);
    const f32 v3 = mul_f32(v2, x3);
    const f32 v6 = mul_f32(v5, x4);
#pragma unroll
    for (int run = 0; run < 6; run++) {
        const int first = (run * TEAM + member) * 4;
        if (first < columns) {
            f32x4 out0;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const f32 v0 = kept_v0[run][i];
                const f32 x2 = kept_x2[run][i];
                const f32 v7 = sub_f32(v0, v6);
                const f32 v4 = mul_f32(x2, v3);
                const f32 v8 = sub_f32(v7, v4);
                const f32 v9 = mul_f32(v8, x5);
                out0.v[i] = f32_store(v9);
            }
            *(f32x4 *) (to_out0 + first) = out0;
        }
    }
}
// kernel 2 of 3
#define INDEX u32
[VALUES]
[FLOATS]

typedef struct __align__(16) { f32 v[4]; } f32x4;
typedef struct {
    f32 *out0;
    const f32 *in0;
    const f32 *in1;
    i64 count;
} Arguments;
FN void element(f32 x0, f32 x1, f32 *y0)
{
    const f32 v0 = mul_f32(x0, x1);
    *y0 = v0;
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
                element(f32_load(a.in0[at]), f32_load(a.in1[at]), &y0);
                a.out0[at] = f32_store(y0);
            }
        }
        return;
    }
    const i64 i0 = first;
    f32 *to_out0 = a.out0 + i0;
    const f32 *from_in0 = a.in0 + i0;
    const f32 *from_in1 = a.in1 + i0;
    f32x4 out0;
    const f32x4 in0 = *(const f32x4 *) from_in0;
    const f32x4 in1 = *(const f32x4 *) from_in1;
    {
        f32 y0;
        element(f32_load(in0.v[0]), f32_load(in1.v[0]), &y0);
        out0.v[0] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[1]), f32_load(in1.v[1]), &y0);
        out0.v[1] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[2]), f32_load(in1.v[2]), &y0);
        out0.v[2] = f32_store(y0);
    }
    {
        f32 y0;
        element(f32_load(in0.v[3]), f32_load(in1.v[3]), &y0);
        out0.v[3] = f32_store(y0);
    }
    *(f32x4 *) to_out0 = out0;
}
// kernel 3 of 3
#define INDEX u32
#define START 0
#define COMBINE(x, y) add_f32(x, y)
#define STORED f32
#define RESULT f32
#define SUM f32
#define TAKE(x) f32_to_f32(f32_load(x))
#define GIVE(x) f32_store(f32_to_f32(x))
#define TEAM 1
#define KEPT 1
#define FOLDED 1
[VALUES]
[FLOATS]
[REDUCE]
