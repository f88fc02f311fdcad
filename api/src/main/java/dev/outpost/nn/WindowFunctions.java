package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import org.jspecify.annotations.Nullable;

/** Convolutions and pooling: windows that slide over lines, images and volumes. A part of {@link Functional}. */
abstract sealed class WindowFunctions extends LayerFunctions permits ResizingFunctions {
    private static final long[] NONE = {};
    private static final long[] ZERO = {0};
    private static final long[] ONE = {1};

    // ---- windows. Wherever an array is accepted, one number stands for all dimensions

    /** Same as {@code conv1d(input, weight, bias, {1}, {0}, {1}, 1)}. */
    public static Tensor conv1d(Tensor input, Tensor weight, @Nullable Tensor bias) {
        return conv1d(input, weight, bias, ONE, ZERO, ONE, 1);
    }

    /** Like {@link #conv2d(Tensor, Tensor, Tensor, long[], long[], long[], int)}, but for lines instead of images. */
    public static Tensor conv1d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(
                () -> new ConvolutionFunctions(1, input, weight, bias).apply(stride, padding, dilation, groups));
    }

    /** Like {@link #conv1d}, but with a padding that is computed from the size of the result. */
    public static Tensor conv1d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            WindowPadding padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(
                () -> new ConvolutionFunctions(1, input, weight, bias).padded(padding, stride, dilation, groups));
    }

    /** Same as {@code conv2d(input, weight, bias, {1}, {0}, {1}, 1)}. */
    public static Tensor conv2d(Tensor input, Tensor weight, @Nullable Tensor bias) {
        return conv2d(input, weight, bias, ONE, ZERO, ONE, 1);
    }

    /**
     * Returns, for each place of the kernels in the image, the sum of the products of kernel and image, plus the bias.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param weight {@code [outputs, channels / groups, height, width]}
     * @param bias {@code [outputs]}, or null
     * @param stride the distance between the places of a kernel
     * @param padding the number of zeros that are added on each side
     * @param dilation the distance between the elements of a kernel
     * @param groups the number of parts of channels and outputs; each part of the outputs uses only its part of the channels
     */
    public static Tensor conv2d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(
                () -> new ConvolutionFunctions(2, input, weight, bias).apply(stride, padding, dilation, groups));
    }

    /** Like {@link #conv2d}, but with a padding that is computed from the size of the result. */
    public static Tensor conv2d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            WindowPadding padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(
                () -> new ConvolutionFunctions(2, input, weight, bias).padded(padding, stride, dilation, groups));
    }

    /** Returns {@link #maxPool1dWithIndices} without the indices. */
    public static Tensor maxPool1d(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(() -> maxPool1dWithIndices(input, window, stride, padding, dilation, ceil)
                .values());
    }

    /** Like {@link #maxPool2dWithIndices}, but for lines instead of images. */
    public static ValuesAndIndices maxPool1dWithIndices(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(
                () -> new PoolingFunctions("max", 1, input, window, stride, padding, dilation, ceil).max(),
                ValuesAndIndices::tensors);
    }

    /** Same as {@code maxPool2d(input, {window}, {}, {0}, {1}, false)}: windows side by side. */
    public static Tensor maxPool2d(Tensor input, long window) {
        return maxPool2d(input, new long[] {window}, NONE, ZERO, ONE, false);
    }

    /** Returns {@link #maxPool2dWithIndices} without the indices. */
    public static Tensor maxPool2d(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(() -> maxPool2dWithIndices(input, window, stride, padding, dilation, ceil)
                .values());
    }

    /**
     * Returns the largest elements of windows, and the row-major index of each in its plane: the first of equal elements; NaN is larger
     * than all. Padding is never chosen.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param stride the distance between windows; the window's size if empty
     * @param padding the padding at both ends, at most half of the window
     * @param ceil true if the last windows may reach beyond the end, as long as they begin before it
     */
    public static ValuesAndIndices maxPool2dWithIndices(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(
                () -> new PoolingFunctions("max", 2, input, window, stride, padding, dilation, ceil).max(),
                ValuesAndIndices::tensors);
    }

    /**
     * Like {@link #avgPool2d(Tensor, long[], long[], long[], boolean, boolean, Long)}, but for lines instead of
     * images.
     */
    public static Tensor avgPool1d(
            Tensor input, long[] window, long[] stride, long[] padding, boolean ceil, boolean countsPadding) {
        return Scope.tidy(() ->
                new PoolingFunctions("avg", 1, input, window, stride, padding, ONE, ceil).average(countsPadding, null));
    }

    /** Same as {@code avgPool2d(input, {window}, {}, {0}, false, true, null)}: windows side by side. */
    public static Tensor avgPool2d(Tensor input, long window) {
        return avgPool2d(input, new long[] {window}, NONE, ZERO, false, true, null);
    }

    /**
     * Computes the means of windows.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param stride the distance between windows; the window's size if empty
     * @param padding the padding at both ends, at most half of the window
     * @param ceil true if the last windows may reach beyond the end, as long as they begin before it
     * @param countsPadding true to include the zeros of the padding in means
     * @param divisor the divisor of sums, or null for the number of elements
     */
    public static Tensor avgPool2d(
            Tensor input,
            long[] window,
            long[] stride,
            long[] padding,
            boolean ceil,
            boolean countsPadding,
            @Nullable Long divisor) {
        return Scope.tidy(() -> new PoolingFunctions("avg", 2, input, window, stride, padding, ONE, ceil)
                .average(countsPadding, divisor));
    }

    // ---- volumes, transposed convolutions

    /**
     * Like {@link #conv2d(Tensor, Tensor, Tensor, long[], long[], long[], int)}, but for volumes instead of images.
     */
    public static Tensor conv3d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(
                () -> new ConvolutionFunctions(3, input, weight, bias).apply(stride, padding, dilation, groups));
    }

    /** Like {@link #conv3d}, but with a padding that is computed from the size of the result. */
    public static Tensor conv3d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            WindowPadding padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(
                () -> new ConvolutionFunctions(3, input, weight, bias).padded(padding, stride, dilation, groups));
    }

    /** Like {@link #convTranspose2d}, but for lines instead of images. */
    public static Tensor convTranspose1d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] outputPadding,
            int groups,
            long[] dilation) {
        return Scope.tidy(() -> new TransposedConvolutionFunctions(1, input, weight, bias)
                .apply(stride, padding, outputPadding, groups, dilation));
    }

    /**
     * Returns a transposed convolution: each element of the input spreads the kernel over the result.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param weight {@code [channels, outputs / groups, height, width]}
     * @param outputPadding the number of elements by which the result is longer at its end, below the stride or the dilation
     * @return {@code [batch, outputs, ...]} of the length (size - 1) · stride - 2 · padding + dilation · (kernel - 1) + outputPadding + 1
     */
    public static Tensor convTranspose2d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] outputPadding,
            int groups,
            long[] dilation) {
        return Scope.tidy(() -> new TransposedConvolutionFunctions(2, input, weight, bias)
                .apply(stride, padding, outputPadding, groups, dilation));
    }

    /** Like {@link #convTranspose2d}, but for volumes instead of images. */
    public static Tensor convTranspose3d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] outputPadding,
            int groups,
            long[] dilation) {
        return Scope.tidy(() -> new TransposedConvolutionFunctions(3, input, weight, bias)
                .apply(stride, padding, outputPadding, groups, dilation));
    }

    /** Returns {@link #maxPool3dWithIndices} without the indices. */
    public static Tensor maxPool3d(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(() -> maxPool3dWithIndices(input, window, stride, padding, dilation, ceil)
                .values());
    }

    /** Like {@link #maxPool2dWithIndices}, but for volumes instead of images. */
    public static ValuesAndIndices maxPool3dWithIndices(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(
                () -> new VolumePooling("max", input, window, stride, padding, dilation, ceil).max(),
                ValuesAndIndices::tensors);
    }

    /**
     * Like {@link #avgPool2d(Tensor, long[], long[], long[], boolean, boolean, Long)}, but for volumes instead of
     * images.
     */
    public static Tensor avgPool3d(
            Tensor input,
            long[] window,
            long[] stride,
            long[] padding,
            boolean ceil,
            boolean countsPadding,
            @Nullable Long divisor) {
        return Scope.tidy(() ->
                new VolumePooling("avg", input, window, stride, padding, ONE, ceil).average(countsPadding, divisor));
    }
}
