// kernel 1 of 1
#define INDEX u32
#define TEAM 32
[VALUES]
[FLOATS]
[ROWS]

typedef struct {
    f32 *out0;
    f32 *out1;
    const f32 *in0;
    const f32 *in1;
    const f32 *in2;
    i64 rows;
    i64 columns;
    i64 in0_row;
    i64 in1_row;
    i64 in2_row;
} Arguments;
FOLD(fold_v0, f32, maximum_f32)
FOLD(fold_v3, f32, add_f32)
FOLD(fold_v7, f32, add_f32)

extern "C" __global__ void __launch_bounds__(256) rows(const Arguments a)
{
    const i64 row = THREAD / TEAM;
    const int member = threadIdx.x % TEAM;
    const int columns = (int) a.columns;
    if (row >= a.rows) {
        return;
    }
    f32 *__restrict__ to_out0 = a.out0 + row * columns;
    f32 *__restrict__ to_out1 = a.out1 + row;
    const f32 *__restrict__ from_in0 = a.in0 + row * a.in0_row;
    const f32 *__restrict__ from_in1 = a.in1 + row * a.in1_row;
    const f32 *__restrict__ from_in2 = a.in2 + row * a.in2_row;
    const f32 x2 = f32_load(from_in2[0]);
    f32 kept_x0[2][1];
    f32 sofar_v0 = ((f32) -INFINITE_F64);
#pragma unroll
    for (int run = 0; run < 2; run++) {
        const int first = (run * TEAM + member) * 1;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 1; i++) {
                if (first + i < columns) {
                    const f32 x0 = f32_load(from_in0[first + i]);
                    kept_x0[run][i] = x0;
                    sofar_v0 = maximum_f32(sofar_v0, x0);
                }
            }
        }
    }
    const f32 v0 = fold_v0(sofar_v0);
    f32 kept_v1[2][1];
    f32 kept_v2[2][1];
    f32 sofar_v3 = 0;
#pragma unroll
    for (int run = 0; run < 2; run++) {
        const int first = (run * TEAM + member) * 1;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 1; i++) {
                if (first + i < columns) {
                    const f32 x0 = kept_x0[run][i];
                    const f32 v1 = sub_f32(x0, v0);
                    kept_v1[run][i] = v1;
                    const f32 v2 = exp_f32(v1);
                    kept_v2[run][i] = v2;
                    sofar_v3 = add_f32(sofar_v3, v2);
                }
            }
        }
    }
    const f32 v3 = fold_v3(sofar_v3);
    const f32 v4 = log_f32(v3);
    const f32 v8 = rsqrt_f32(v3);
    const f32 v9 = mul_f32(x2, v8);
    f32 sofar_v7 = 0;
#pragma unroll
    for (int run = 0; run < 2; run++) {
        const int first = (run * TEAM + member) * 1;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 1; i++) {
                if (first + i < columns) {
                    const f32 v1 = kept_v1[run][i];
                    const f32 v2 = kept_v2[run][i];
                    const f32 v5 = sub_f32(v1, v4);
                    const f32 x1 = f32_load(from_in1[first + i]);
                    const f32 v6 = mul_f32(v5, x1);
                    const f32 v10 = sub_f32(v2, x1);
                    const f32 v11 = mul_f32(v10, v9);
                    sofar_v7 = add_f32(sofar_v7, v6);
                    to_out0[first + i] = f32_store(v11);
                }
            }
        }
    }
    const f32 v7 = fold_v7(sofar_v7);
    const f32 v12 = neg_f32(v7);
    if (member == 0) {
        to_out1[0] = f32_store(v12);
    }
}
