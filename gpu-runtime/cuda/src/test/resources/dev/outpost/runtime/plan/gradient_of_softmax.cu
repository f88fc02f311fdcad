// kernel 1 of 1
#define INDEX u32
#define TEAM 32
[VALUES]
[FLOATS]
[ROWS]

typedef struct __align__(16) { f64 v[2]; } f64x2;
typedef struct {
    f64 *out0;
    const f64 *in0;
    const f64 *in1;
    i64 rows;
    i64 columns;
    i64 in0_row;
    i64 in1_row;
} Arguments;
FOLD(fold_v1, f64, add_f64)

extern "C" __global__ void __launch_bounds__(256) rows(const Arguments a)
{
    const i64 row = THREAD / TEAM;
    const int member = threadIdx.x % TEAM;
    const int columns = (int) a.columns;
    if (row >= a.rows) {
        return;
    }
    f64 *__restrict__ to_out0 = a.out0 + row * columns;
    const f64 *__restrict__ from_in0 = a.in0 + row * a.in0_row;
    const f64 *__restrict__ from_in1 = a.in1 + row * a.in1_row;
    f64 kept_x0[2][2];
    f64 kept_x1[2][2];
    f64 sofar_v1 = 0;
#pragma unroll
    for (int run = 0; run < 2; run++) {
        const int first = (run * TEAM + member) * 2;
        if (first < columns) {
            const f64x2 in0 = *(const f64x2 *) (from_in0 + first);
            const f64x2 in1 = *(const f64x2 *) (from_in1 + first);
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const f64 x0 = f64_load(in0.v[i]);
                kept_x0[run][i] = x0;
                const f64 x1 = f64_load(in1.v[i]);
                kept_x1[run][i] = x1;
                const f64 v0 = mul_f64(x0, x1);
                sofar_v1 = add_f64(sofar_v1, v0);
            }
        }
    }
    const f64 v1 = fold_v1(sofar_v1);
#pragma unroll
    for (int run = 0; run < 2; run++) {
        const int first = (run * TEAM + member) * 2;
        if (first < columns) {
            f64x2 out0;
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const f64 x0 = kept_x0[run][i];
                const f64 x1 = kept_x1[run][i];
                const f64 v2 = sub_f64(x1, v1);
                const f64 v3 = mul_f64(x0, v2);
                out0.v[i] = f64_store(v3);
            }
            *(f64x2 *) (to_out0 + first) = out0;
        }
    }
}
