package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import java.util.Arrays;

/** Windows that slide over images. */
final class SlidingWindows {
    private SlidingWindows() {}

    static Tensor columns(Tensor input, long[] window, long[] dilation, long[] padding, long[] stride) {
        requireWindows("unfold", window, dilation, padding, stride);
        if (input.dim() != 4) {
            throw new OpException("unfold", "a batch of images is expected, got " + input.shape());
        }
        Tensor image = input.pad(0, padding[1], padding[1], padding[0], padding[0]);
        long rows = count("unfold", image.size(2), window[0], dilation[0], stride[0]);
        long columns = count("unfold", image.size(3), window[1], dilation[1], stride[1]);
        long line = image.size(3);
        long plane = image.size(2) * line;
        long channels = image.size(1);
        long[] sizes = {image.size(0), channels, window[0], window[1], rows, columns};
        long[] strides = {channels * plane, plane, dilation[0] * line, dilation[1], stride[0] * line, stride[1]};
        return image.asStrided(sizes, strides, 0)
                .reshape(image.size(0), channels * window[0] * window[1], rows * columns);
    }

    /** Adds each element at the place from which its window took it; elements in the padding are dropped. */
    static Tensor images(Tensor input, long[] output, long[] window, long[] dilation, long[] padding, long[] stride) {
        requirePlane("fold", "the output", 1, output);
        requireWindows("fold", window, dilation, padding, stride);
        if (input.dim() != 2 && input.dim() != 3) {
            throw new OpException("fold", "a batch of columns, or columns, are expected, got " + input.shape());
        }
        long height = output[0] + 2 * padding[0];
        long width = output[1] + 2 * padding[1];
        long rows = count("fold", height, window[0], dilation[0], stride[0]);
        long columns = count("fold", width, window[1], dilation[1], stride[1]);
        long elements = window[0] * window[1];
        Tensor batch = input.dim() == 3 ? input : input.unsqueeze(0);
        if (batch.size(1) % elements != 0 || batch.size(2) != rows * columns) {
            throw new OpException(
                    "fold",
                    "columns of " + elements + " elements for each channel and " + rows * columns
                            + " windows are needed, got " + input.shape());
        }
        long channels = batch.size(1) / elements;
        long[] strides = {dilation[0] * width, dilation[1], stride[0] * width, stride[1]};
        Tensor positions = input.machine()
                .arange(height * width)
                .asStrided(new long[] {window[0], window[1], rows, columns}, strides, 0)
                .reshape(elements * rows * columns);
        Tensor images = batch.newZeros(batch.size(0), channels, height * width)
                .indexAdd(2, positions, batch.reshape(batch.size(0), channels, elements * rows * columns))
                .view(batch.size(0), channels, height, width)
                .narrow(2, padding[0], output[0])
                .narrow(3, padding[1], output[1]);
        return input.dim() == 3 ? images : images.squeeze(0);
    }

    private static void requireWindows(String op, long[] window, long[] dilation, long[] padding, long[] stride) {
        requirePlane(op, "the kernel", 1, window);
        requirePlane(op, "the dilation", 1, dilation);
        requirePlane(op, "the padding", 0, padding);
        requirePlane(op, "the stride", 1, stride);
    }

    private static void requirePlane(String op, String name, long min, long[] given) {
        if (given.length != 2 || given[0] < min || given[1] < min) {
            throw new OpException(
                    op, name + " must be two numbers of at least " + min + ", got " + Arrays.toString(given));
        }
    }

    private static long count(String op, long size, long window, long dilation, long stride) {
        long reach = dilation * (window - 1) + 1;
        if (window < 1 || dilation < 1 || stride < 1 || reach > size) {
            throw new OpException(
                    op, "the window must fit, got " + Arrays.asList(window, dilation, stride) + " for " + size);
        }
        return (size - reach) / stride + 1;
    }
}
