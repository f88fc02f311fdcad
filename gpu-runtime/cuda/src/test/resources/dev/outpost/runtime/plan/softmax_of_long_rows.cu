// kernel 1 of 1
#define INDEX u32
#define TEAM 1024
[VALUES]
[FLOATS]
[ROWS]

typedef struct __align__(8) { bf16 v[4]; } bf16x4;
typedef struct {
    bf16 *out0;
    const bf16 *in0;
    i64 rows;
    i64 columns;
    i64 in0_row;
} Arguments;
FOLD(fold_v1, f32, maximum_f32)
FOLD(fold_v4, f32, add_f32)

extern "C" __global__ void __launch_bounds__(1024) rows(const Arguments a)
{
    const i64 row = THREAD / TEAM;
    const int member = threadIdx.x % TEAM;
    const int columns = (int) a.columns;
    if (row >= a.rows) {
        return;
    }
    bf16 *__restrict__ to_out0 = a.out0 + row * columns;
    const bf16 *__restrict__ from_in0 = a.in0 + row * a.in0_row;
    f32 sofar_v1 = ((f32) -INFINITE_F64);
    for (int first = member * 4; first < columns; first += TEAM * 4) {
        const bf16x4 in0 = *(const bf16x4 *) (from_in0 + first);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const f32 x0 = bf16_load(in0.v[i]);
            const f32 v0 = f32_to_f32(x0);
            sofar_v1 = maximum_f32(sofar_v1, v0);
        }
    }
    const f32 v1 = fold_v1(sofar_v1);
    f32 sofar_v4 = 0;
    for (int first = member * 4; first < columns; first += TEAM * 4) {
        const bf16x4 in0 = *(const bf16x4 *) (from_in0 + first);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const f32 x0 = bf16_load(in0.v[i]);
            const f32 v0 = f32_to_f32(x0);
            const f32 v2 = sub_f32(v0, v1);
            const f32 v3 = exp_f32(v2);
            sofar_v4 = add_f32(sofar_v4, v3);
        }
    }
    const f32 v4 = fold_v4(sofar_v4);
    for (int first = member * 4; first < columns; first += TEAM * 4) {
        const bf16x4 in0 = *(const bf16x4 *) (from_in0 + first);
        bf16x4 out0;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const f32 x0 = bf16_load(in0.v[i]);
            const f32 v0 = f32_to_f32(x0);
            const f32 v2 = sub_f32(v0, v1);
            const f32 v3 = exp_f32(v2);
            const f32 v5 = div_f32(v3, v4);
            const f32 v6 = bf16_round(f32_to_f32(v5));
            out0.v[i] = bf16_store(v6);
        }
        *(bf16x4 *) (to_out0 + first) = out0;
    }
}
