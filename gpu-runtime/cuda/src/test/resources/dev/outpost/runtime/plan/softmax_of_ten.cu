// kernel 1 of 1
#define INDEX u32
#define TEAM 1
[VALUES]
[FLOATS]

typedef struct __align__(8) { f32 v[2]; } f32x2;
typedef struct {
    f32 *out0;
    const f32 *in0;
    i64 rows;
    i64 columns;
    i64 in0_row;
} Arguments;

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
    f32 kept_x0[5][2];
    f32 sofar_v0 = ((f32) -INFINITE_F64);
#pragma unroll
    for (int run = 0; run < 5; run++) {
        const int first = (run * TEAM + member) * 2;
        if (first < columns) {
            const f32x2 in0 = *(const f32x2 *) (from_in0 + first);
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const f32 x0 = f32_load(in0.v[i]);
                kept_x0[run][i] = x0;
                sofar_v0 = maximum_f32(sofar_v0, x0);
            }
        }
    }
    const f32 v0 = sofar_v0;
    f32 kept_v2[5][2];
    f32 sofar_v3 = 0;
#pragma unroll
    for (int run = 0; run < 5; run++) {
        const int first = (run * TEAM + member) * 2;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const f32 x0 = kept_x0[run][i];
                const f32 v1 = sub_f32(x0, v0);
                const f32 v2 = exp_f32(v1);
                kept_v2[run][i] = v2;
                sofar_v3 = add_f32(sofar_v3, v2);
            }
        }
    }
    const f32 v3 = sofar_v3;
#pragma unroll
    for (int run = 0; run < 5; run++) {
        const int first = (run * TEAM + member) * 2;
        if (first < columns) {
            f32x2 out0;
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const f32 v2 = kept_v2[run][i];
                const f32 v4 = div_f32(v2, v3);
                out0.v[i] = f32_store(v4);
            }
            *(f32x2 *) (to_out0 + first) = out0;
        }
    }
}
