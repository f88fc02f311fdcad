// kernel 1 of 1
#define INDEX u32
#define TEAM 32
[VALUES]
[FLOATS]
[ROWS]

typedef struct {
    f16 *out0;
    b8 *out1;
    const b8 *in0;
    const f16 *in1;
    const f16 *in2;
    const f16 *in3;
    i64 rows;
    i64 columns;
    i64 in0_row;
    i64 in1_row;
    i64 in2_row;
    i64 in3_row;
} Arguments;
FOLD(fold_v1, f32, add_f32)

extern "C" __global__ void __launch_bounds__(256) rows(const Arguments a)
{
    const i64 row = THREAD / TEAM;
    const int member = threadIdx.x % TEAM;
    const int columns = (int) a.columns;
    if (row >= a.rows) {
        return;
    }
    f16 *__restrict__ to_out0 = a.out0 + row;
    b8 *__restrict__ to_out1 = a.out1 + row * columns;
    const b8 *__restrict__ from_in0 = a.in0 + row * a.in0_row;
    const f16 *__restrict__ from_in1 = a.in1 + row * a.in1_row;
    const f16 *__restrict__ from_in2 = a.in2 + row * a.in2_row;
    const f16 *__restrict__ from_in3 = a.in3 + row * a.in3_row;
    const f32 x2 = f16_load(from_in2[0]);
    const f32 x3 = f16_load(from_in3[0]);
    f32 kept_v0[8][4];
    f32 sofar_v1 = 0;
#pragma unroll
    for (int run = 0; run < 8; run++) {
        const int first = (run * TEAM + member) * 4;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                if (first + i < columns) {
                    const i32 x0 = b8_load(from_in0[first + i]);
                    const f32 x1 = f16_load(from_in1[first + i]);
                    const f32 v0 = f16_round((x0 != 0 ? x1 : x2));
                    kept_v0[run][i] = v0;
                    sofar_v1 = add_f32(sofar_v1, v0);
                }
            }
        }
    }
    const f32 v1 = f16_round(fold_v1(sofar_v1));
    const f32 v2 = f16_round(mul_f32(v1, x3));
#pragma unroll
    for (int run = 0; run < 8; run++) {
        const int first = (run * TEAM + member) * 4;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                if (first + i < columns) {
                    const f32 v0 = kept_v0[run][i];
                    const i32 v3 = b8_round(gt_f32(v0, v2));
                    to_out1[first + i] = b8_store(v3);
                }
            }
        }
    }
    if (member == 0) {
        to_out0[0] = f16_store(v2);
    }
}
