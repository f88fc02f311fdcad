package dev.outpost.nn.functional;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import java.util.Arrays;

/** Windows that slide over images. */
final class Windows {
    private Windows() {}

    static Tensor columns(Tensor input, long[] window, long[] dilation, long[] padding, long[] stride) {
        if (input.dim() != 4) {
            throw new OpException("unfold", "a batch of images is expected, got " + input.shape());
        }
        Tensor image = input.pad(0, padding[1], padding[1], padding[0], padding[0]);
        long rows = count(image.size(2), window[0], dilation[0], stride[0]);
        long columns = count(image.size(3), window[1], dilation[1], stride[1]);
        long line = image.size(3);
        long plane = image.size(2) * line;
        long channels = image.size(1);
        long[] sizes = {image.size(0), channels, window[0], window[1], rows, columns};
        long[] strides = {channels * plane, plane, dilation[0] * line, dilation[1], stride[0] * line, stride[1]};
        return image.asStrided(sizes, strides, 0)
                .reshape(image.size(0), channels * window[0] * window[1], rows * columns);
    }

    private static long count(long size, long window, long dilation, long stride) {
        long reach = dilation * (window - 1) + 1;
        if (window < 1 || dilation < 1 || stride < 1 || reach > size) {
            throw new OpException(
                    "unfold", "the window must fit, got " + Arrays.asList(window, dilation, stride) + " for " + size);
        }
        return (size - reach) / stride + 1;
    }
}
