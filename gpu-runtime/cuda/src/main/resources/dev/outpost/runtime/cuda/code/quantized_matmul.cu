// Products with weights of BITS bits. A weight is (code - zero) * scale, with one scale and one zero for each group of inputs. A warp has
// one output and ROWS rows. Each of its threads processes SPAN neighbouring inputs at a time, which belong to one group.

typedef struct {
    STORED *output;
    const STORED *rows;
    const u8 *codes;
    const SCALE *scales;
    const u8 *zeros;
    i64 count;
    i64 outputs;
    i64 inputs;
    i64 group;
    i64 across;
} Arguments;

// Returns the code of an input. A byte has two codes of 4 bits, the first in its lower half.
FN u32 code_of(const u8 *codes, i64 input)
{
    return BITS == 8 ? codes[input] : (u32) (codes[input / 2] >> input % 2 * 4 & 15);
}

// Reads the codes of SPAN neighbouring inputs.
FN void read_codes(const u8 *codes, i64 input, u32 *into)
{
#if SPAN == 8
    const u32 *words = (const u32 *) (codes + input * BITS / 8);
#pragma unroll
    for (int i = 0; i < SPAN; i++) {
        into[i] = words[i * BITS / 32] >> i * BITS % 32 & ((1u << BITS) - 1);
    }
#else
    into[0] = code_of(codes, input);
#endif
}

extern "C" __global__ void __launch_bounds__(256) quantized_matmul(const Arguments a)
{
    int lane = threadIdx.x % 32;
    i64 output = blockIdx.x % a.across * (blockDim.x / 32) + threadIdx.x / 32;
    i64 first = blockIdx.x / a.across * ROWS;
    i64 groups = a.inputs / a.group;
    f32 sums[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        sums[row] = 0;
    }
    if (output < a.outputs) {
        const u8 *codes = a.codes + output * (a.inputs * BITS / 8);
        for (i64 input = (i64) lane * SPAN; input < a.inputs; input += 32 * SPAN) {
            i64 group = output * groups + input / a.group;
            f32 scale = SCALE_TAKE(a.scales[group]);
            f32 zero = (f32) a.zeros[group];
            u32 stored[SPAN];
            read_codes(codes, input, stored);
#pragma unroll
            for (int i = 0; i < SPAN; i++) {
                f32 weight = ((f32) stored[i] - zero) * scale;
#pragma unroll
                for (int row = 0; row < ROWS; row++) {
                    if (first + row < a.count) {
                        sums[row] = fmaf(TAKE(a.rows[(first + row) * a.inputs + input + i]), weight, sums[row]);
                    }
                }
            }
        }
    }
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        for (int distance = 16; distance > 0; distance /= 2) {
            sums[row] += __shfl_xor_sync(0xffffffffu, sums[row], distance);
        }
        if (lane == 0 && output < a.outputs && first + row < a.count) {
            a.output[(first + row) * a.outputs + output] = GIVE(sums[row]);
        }
    }
}

// Computes the weights as floats, [outputs, inputs]. One thread computes one weight.
extern "C" __global__ void dequantize(const Arguments a)
{
    i64 place = (i64) blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= a.outputs * a.inputs) {
        return;
    }
    i64 output = place / a.inputs;
    i64 input = place % a.inputs;
    i64 group = output * (a.inputs / a.group) + input / a.group;
    u32 code = code_of(a.codes + output * (a.inputs * BITS / 8), input);
    a.output[place] = GIVE(((f32) code - (f32) a.zeros[group]) * SCALE_TAKE(a.scales[group]));
}
