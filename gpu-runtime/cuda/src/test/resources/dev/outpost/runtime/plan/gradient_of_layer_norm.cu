// kernel 1 of 2
#define INDEX u32
#define TEAM 32
[VALUES]
[FLOATS]
[ROWS]

typedef struct __align__(16) { f32 v[4]; } f32x4;
typedef struct {
    f32 *out0;
    f32 *part0;
    f32 *part1;
    const f32 *in0;
    const f32 *in1;
    const f32 *in2;
    const f32 *in3;
    const f32 *in4;
    const f32 *in5;
    const f32 *in6;
    i64 rows;
    i64 columns;
    i64 teams;
    i64 in0_row;
    i64 in1_row;
    i64 in2_row;
    i64 in3_row;
    i64 in4_row;
    i64 in5_row;
    i64 in6_row;
} Arguments;
FOLD(fold_v3, f32, add_f32)
FOLD(fold_v6, f32, add_f32)

extern "C" __global__ void __launch_bounds__(256) rows(const Arguments a)
{
    const i64 team = THREAD / TEAM;
    const int member = threadIdx.x % TEAM;
    const int columns = (int) a.columns;
    if (team >= a.teams) {
        return;
    }
    f32 columns0[6][4];
    f32 columns1[6][4];
#pragma unroll
    for (int run = 0; run < 6; run++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            columns0[run][i] = 0;
            columns1[run][i] = 0;
        }
    }
    for (i64 row = team; row < a.rows; row += a.teams) {
        f32 *__restrict__ to_out0 = a.out0 + row * columns;
        const f32 *__restrict__ from_in0 = a.in0 + row * a.in0_row;
        const f32 *__restrict__ from_in1 = a.in1 + row * a.in1_row;
        const f32 *__restrict__ from_in2 = a.in2 + row * a.in2_row;
        const f32 *__restrict__ from_in3 = a.in3 + row * a.in3_row;
        const f32 *__restrict__ from_in4 = a.in4 + row * a.in4_row;
        const f32 *__restrict__ from_in5 = a.in5 + row * a.in5_row;
        const f32 *__restrict__ from_in6 = a.in6 + row * a.in6_row;
        const f32 x1 = f32_load(from_in1[0]);
        const f32 x4 = f32_load(from_in4[0]);
        const f32 x5 = f32_load(from_in5[0]);
        const f32 x6 = f32_load(from_in6[0]);
        f32 sofar_v3 = 0;
        f32 sofar_v6 = 0;
#pragma unroll
        for (int run = 0; run < 6; run++) {
            const int first = (run * TEAM + member) * 4;
            if (first < columns) {
                const f32x4 in0 = *(const f32x4 *) (from_in0 + first);
                const f32x4 in2 = *(const f32x4 *) (from_in2 + first);
                const f32x4 in3 = *(const f32x4 *) (from_in3 + first);
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    const f32 x0 = f32_load(in0.v[i]);
                    const f32 v0 = mul_f32(x0, x1);
                    const f32 x2 = f32_load(in2.v[i]);
                    const f32 v1 = mul_f32(v0, x2);
                    const f32 x3 = f32_load(in3.v[i]);
                    const f32 v2 = mul_f32(v1, x3);
                    const f32 v11 = mul_f32(v0, x3);
                    sofar_v3 = add_f32(sofar_v3, v2);
                    sofar_v6 = add_f32(sofar_v6, v1);
                    columns0[run][i] = add_f32(columns0[run][i], v11);
                    columns1[run][i] = add_f32(columns1[run][i], v0);
                }
            }
        }
        const f32 v3 = fold_v3(sofar_v3);
        const f32 v6 = fold_v6(sofar_v6);
        const f32 v4 = mul_f32(v3, x4);
        const f32 v7 = mul_f32(v6, x5);
#pragma unroll
        for (int run = 0; run < 6; run++) {
            const int first = (run * TEAM + member) * 4;
            if (first < columns) {
                const f32x4 in0 = *(const f32x4 *) (from_in0 + first);
                const f32x4 in2 = *(const f32x4 *) (from_in2 + first);
                const f32x4 in3 = *(const f32x4 *) (from_in3 + first);
                f32x4 out0;
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    const f32 x0 = f32_load(in0.v[i]);
                    const f32 v0 = mul_f32(x0, x1);
                    const f32 x2 = f32_load(in2.v[i]);
                    const f32 v1 = mul_f32(v0, x2);
                    const f32 v8 = sub_f32(v1, v7);
                    const f32 x3 = f32_load(in3.v[i]);
                    const f32 v5 = mul_f32(x3, v4);
                    const f32 v9 = sub_f32(v8, v5);
                    const f32 v10 = mul_f32(v9, x6);
                    out0.v[i] = f32_store(v10);
                }
                *(f32x4 *) (to_out0 + first) = out0;
            }
        }
    }
#pragma unroll
    for (int run = 0; run < 6; run++) {
        const int first = (run * TEAM + member) * 4;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                a.part0[team * columns + first + i] = columns0[run][i];
                a.part1[team * columns + first + i] = columns1[run][i];
            }
        }
    }
}
// kernel 2 of 2
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
