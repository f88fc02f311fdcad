// Finds the largest element of each window and its position. Of equal elements the first wins, and NaN outranks all.

typedef struct {
    STORED *values;
    i64 *places;
    const STORED *in;
    i64 count;
    i64 sizes[2];
    i64 in_sizes[2];
    i64 in_strides[3];
    i64 window[2];
    i64 strides[2];
    i64 paddings[2];
    i64 dilations[2];
} Arguments;

FN i64 first_within(i64 start, i64 dilation) { return start >= 0 ? 0 : (-start + dilation - 1) / dilation; }

extern "C" __global__ void max_pool(const Arguments a)
{
    i64 at = THREAD;
    if (at >= a.count) {
        return;
    }
    i64 left = at % a.sizes[1] * a.strides[1] - a.paddings[1];
    i64 top = at / a.sizes[1] % a.sizes[0] * a.strides[0] - a.paddings[0];
    const STORED *in = a.in + at / a.sizes[1] / a.sizes[0] * a.in_strides[0];
    i64 best_at = -1;
    VALUE best = 0;
    for (i64 i = first_within(top, a.dilations[0]); i < a.window[0]; i++) {
        i64 row = top + i * a.dilations[0];
        if (row >= a.in_sizes[0]) {
            break;
        }
        for (i64 j = first_within(left, a.dilations[1]); j < a.window[1]; j++) {
            i64 column = left + j * a.dilations[1];
            if (column >= a.in_sizes[1]) {
                break;
            }
            VALUE x = LOAD(in[row * a.in_strides[1] + column * a.in_strides[2]]);
            if (best_at < 0 || x > best || (x != x && best == best)) {
                best = x;
                best_at = row * a.in_sizes[1] + column;
            }
        }
    }
    a.values[at] = STORE(best);
    a.places[at] = best_at;
}
