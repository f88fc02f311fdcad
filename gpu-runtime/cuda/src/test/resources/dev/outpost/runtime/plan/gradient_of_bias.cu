// kernel 1 of 2
#define INDEX u32
#define TEAM 32
[VALUES]
[FLOATS]

typedef struct {
    f32 *out0;
    f32 *part0;
    const f32 *in0;
    const f32 *in1;
    const f32 *in2;
    const f32 *in3;
    i64 rows;
    i64 columns;
    i64 teams;
    i64 in0_row;
    i64 in1_row;
    i64 in2_row;
    i64 in3_row;
} Arguments;

extern "C" __global__ void __launch_bounds__(256) rows(const Arguments a)
{
    const i64 team = THREAD / TEAM;
    const int member = threadIdx.x % TEAM;
    const int columns = (int) a.columns;
    if (team >= a.teams) {
        return;
    }
    f32 columns0[2][1];
#pragma unroll
    for (int run = 0; run < 2; run++) {
#pragma unroll
        for (int i = 0; i < 1; i++) {
            columns0[run][i] = 0;
        }
    }
    for (i64 row = team; row < a.rows; row += a.teams) {
        f32 *__restrict__ to_out0 = a.out0 + row * columns;
        const f32 *__restrict__ from_in0 = a.in0 + row * a.in0_row;
        const f32 *__restrict__ from_in1 = a.in1 + row * a.in1_row;
        const f32 *__restrict__ from_in2 = a.in2 + row * a.in2_row;
        const f32 *__restrict__ from_in3 = a.in3 + row * a.in3_row;
        const f32 x1 = f32_load(from_in1[0]);
        const f32 x3 = f32_load(from_in3[0]);
#pragma unroll
        for (int run = 0; run < 2; run++) {
            const int first = (run * TEAM + member) * 1;
            if (first < columns) {
#pragma unroll
                for (int i = 0; i < 1; i++) {
                    if (first + i < columns) {
                        const f32 x0 = f32_load(from_in0[first + i]);
                        const i32 v0 = b8_round(gt_f32(x0, x1));
                        const f32 x2 = f32_load(from_in2[first + i]);
                        const f32 v1 = (v0 != 0 ? x2 : x3);
                        columns0[run][i] = add_f32(columns0[run][i], v1);
                        to_out0[first + i] = f32_store(v1);
                    }
                }
            }
        }
    }
#pragma unroll
    for (int run = 0; run < 2; run++) {
        const int first = (run * TEAM + member) * 1;
        if (first < columns) {
#pragma unroll
            for (int i = 0; i < 1; i++) {
                if (first + i < columns) {
                    a.part0[team * columns + first + i] = columns0[run][i];
                }
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
