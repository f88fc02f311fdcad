// kernel 1 of 1
#define INDEX u32
#define TEAM 256
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
FOLD(fold_v0, f32, add_f32)
FOLD(fold_v4, f32, add_f32)

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
    const f32 x1 = f32_load(from_in1[0]);
    const f32 x2 = f32_load(from_in2[0]);
    const f32 x3 = f32_load(from_in3[0]);
    f32 kept_x0[4][4];
    f32 sofar_v0 = 0;
#pragma unroll
    for (int run = 0; run < 4; run++) {
        const int first = (run * TEAM + member) * 4;
        if (first < columns) {
            const f32x4 in0 = *(const f32x4 *) (from_in0 + first);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const f32 x0 = f32_load(in0.v[i]);
                kept_x0[run][i] = x0;
                sofar_v0 = add_f32(sofar_v0, x0);
            }
        }
    }
    const f32 v0 = fold_v0(sofar_v0);
    const f32 v1 = mul_f32(v0, x1);
    f32 kept_v2[4][4];
    f32 sofar_v4 = 0;
#pragma unroll
    for (int run = 0; run < 4; run++) {
        const int first = (run * TEAM + member) * 4;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const f32 x0 = kept_x0[run][i];
                const f32 v2 = sub_f32(x0, v1);
                kept_v2[run][i] = v2;
                const f32 v3 = mul_f32(v2, v2);
                sofar_v4 = add_f32(sofar_v4, v3);
            }
        }
    }
    const f32 v4 = fold_v4(sofar_v4);
    const f32 v5 = mul_f32(v4, x2);
    const f32 v6 = add_f32(v5, x3);
    const f32 v7 = rsqrt_f32(v6);
#pragma unroll
    for (int run = 0; run < 4; run++) {
        const int first = (run * TEAM + member) * 4;
        if (first < columns) {
            const f32x4 in4 = *(const f32x4 *) (from_in4 + first);
            const f32x4 in5 = *(const f32x4 *) (from_in5 + first);
            f32x4 out0;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const f32 v2 = kept_v2[run][i];
                const f32 v8 = mul_f32(v2, v7);
                const f32 x4 = f32_load(in4.v[i]);
                const f32 v9 = mul_f32(v8, x4);
                const f32 x5 = f32_load(in5.v[i]);
                const f32 v10 = add_f32(v9, x5);
                out0.v[i] = f32_store(v10);
            }
            *(f32x4 *) (to_out0 + first) = out0;
        }
    }
}
