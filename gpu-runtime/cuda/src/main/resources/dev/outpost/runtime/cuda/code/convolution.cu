// A convolution, or one of its gradients. Each element of the result (output, input or weight) is a sum of products of the other two
// arrays. One thread computes one element.

typedef struct {
    STORED *result;
    const STORED *first;
    const STORED *second;
    i64 count;
    i64 images;
    i64 groups;
    i64 input_sizes[4];
    i64 weight_sizes[4];
    i64 output_sizes[4];
    i64 input_strides[4];
    i64 weight_strides[4];
    i64 output_strides[4];
    i64 strides[2];
    i64 paddings[2];
    i64 dilations[2];
} Arguments;

FN i64 at4(const i64 *strides, i64 n, i64 c, i64 y, i64 x)
{
    return n * strides[0] + c * strides[1] + y * strides[2] + x * strides[3];
}

// Returns the position in the input that lies under an element of the kernel at a position of the output; -1 in the padding.
FN i64 under(i64 place, i64 element, i64 stride, i64 padding, i64 dilation, i64 size)
{
    i64 at = place * stride - padding + element * dilation;
    return at >= 0 && at < size ? at : -1;
}

// Returns the position in the output at which an element of the kernel lies over a position of the input; -1 if there is none.
FN i64 over(i64 input, i64 element, i64 stride, i64 padding, i64 dilation, i64 size)
{
    i64 at = input + padding - element * dilation;
    return at >= 0 && at % stride == 0 && at / stride < size ? at / stride : -1;
}

#if RESULT_IS == 0
FN SUM element(const Arguments *a, i64 n, i64 o, i64 y, i64 x)
{
    i64 channels = a->weight_sizes[1];
    i64 first = o / (a->weight_sizes[0] / a->groups) * channels;
    SUM sum = 0;
    for (i64 c = 0; c < channels; c++) {
        for (i64 i = 0; i < a->weight_sizes[2]; i++) {
            i64 row = under(y, i, a->strides[0], a->paddings[0], a->dilations[0], a->input_sizes[2]);
            for (i64 j = 0; row >= 0 && j < a->weight_sizes[3]; j++) {
                i64 column = under(x, j, a->strides[1], a->paddings[1], a->dilations[1], a->input_sizes[3]);
                if (column >= 0) {
                    sum = MULTIPLY_ADD(
                        TAKE(a->first[at4(a->input_strides, n, first + c, row, column)]),
                        TAKE(a->second[at4(a->weight_strides, o, c, i, j)]),
                        sum);
                }
            }
        }
    }
    return sum;
}
#elif RESULT_IS == 1
FN SUM element(const Arguments *a, i64 n, i64 channel, i64 y, i64 x)
{
    i64 outputs = a->weight_sizes[0] / a->groups;
    i64 first = channel / a->weight_sizes[1] * outputs;
    i64 c = channel % a->weight_sizes[1];
    SUM sum = 0;
    for (i64 o = first; o < first + outputs; o++) {
        for (i64 i = 0; i < a->weight_sizes[2]; i++) {
            i64 row = over(y, i, a->strides[0], a->paddings[0], a->dilations[0], a->output_sizes[2]);
            for (i64 j = 0; row >= 0 && j < a->weight_sizes[3]; j++) {
                i64 column = over(x, j, a->strides[1], a->paddings[1], a->dilations[1], a->output_sizes[3]);
                if (column >= 0) {
                    sum = MULTIPLY_ADD(
                        TAKE(a->first[at4(a->weight_strides, o, c, i, j)]),
                        TAKE(a->second[at4(a->output_strides, n, o, row, column)]),
                        sum);
                }
            }
        }
    }
    return sum;
}
#else
FN SUM element(const Arguments *a, i64 o, i64 c, i64 i, i64 j)
{
    i64 channel = o / (a->weight_sizes[0] / a->groups) * a->weight_sizes[1] + c;
    SUM sum = 0;
    for (i64 n = 0; n < a->images; n++) {
        for (i64 y = 0; y < a->output_sizes[2]; y++) {
            i64 row = under(y, i, a->strides[0], a->paddings[0], a->dilations[0], a->input_sizes[2]);
            for (i64 x = 0; row >= 0 && x < a->output_sizes[3]; x++) {
                i64 column = under(x, j, a->strides[1], a->paddings[1], a->dilations[1], a->input_sizes[3]);
                if (column >= 0) {
                    sum = MULTIPLY_ADD(
                        TAKE(a->first[at4(a->input_strides, n, channel, row, column)]),
                        TAKE(a->second[at4(a->output_strides, n, o, y, x)]),
                        sum);
                }
            }
        }
    }
    return sum;
}
#endif

extern "C" __global__ void convolution(const Arguments a)
{
    i64 at = THREAD;
    if (at >= a.count) {
        return;
    }
    const i64 *sizes = RESULT_IS == 0 ? a.output_sizes : RESULT_IS == 1 ? a.input_sizes : a.weight_sizes;
    i64 x = at % sizes[3];
    i64 y = at / sizes[3] % sizes[2];
    i64 c = at / sizes[3] / sizes[2] % sizes[1];
    i64 n = at / sizes[3] / sizes[2] / sizes[1];
    a.result[at] = GIVE(element(&a, n, c, y, x));
}
