package dev.outpost.nn.functional;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.Arguments;
import dev.outpost.internal.CastRules;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.IndexTerms;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What layers and losses compute, without their state (torch.nn.functional). Losses are averaged over their elements
 * unless a {@link Reduction} says otherwise; input and target broadcast where a loss is elementwise.
 */
public final class Functional {
    /** The label of elements that count for nothing where none is given: PyTorch's default of {@code ignore_index}. */
    public static final long NO_INDEX = -100;

    private static final long[] NONE = {};
    private static final long[] ZERO = {0};
    private static final long[] ONE = {1};

    private Functional() {}

    // ---- layers

    /**
     * input · weightᵀ + bias.
     *
     * @param input {@code [..., in]}
     * @param weight {@code [out, in]}
     * @param bias {@code [out]}, or null
     */
    public static Tensor linear(Tensor input, Tensor weight, @Nullable Tensor bias) {
        Arguments.required(input, "the input");
        Arguments.required(weight, "the weight");
        if (weight.dim() != 2 || input.dim() == 0 || input.size(-1) != weight.size(1)) {
            throw new OpException(
                    "linear", "the weight does not fit the input, got " + weight.shape() + " and " + input.shape());
        }
        return Scope.tidy(() -> {
            Tensor product = input.matmul(weight.t());
            return bias == null ? product : product.add(CastRules.likeProduct(bias, product));
        });
    }

    /** While training: elements are zeroed with probability p, the others divided by 1 - p. */
    public static Tensor dropout(Tensor input, double p, boolean training) {
        Arguments.required(input, "the input");
        if (!(p >= 0 && p <= 1)) {
            throw new OpException("dropout", "the probability must be between 0 and 1, got " + p);
        }
        if (!training || p == 0) {
            return input;
        }
        double scale = p == 1 ? 0 : 1 / (1 - p);
        return Scope.tidy(
                () -> input.mul(input.randLike().ge(p).to(input.dtype()).mul(scale)));
    }

    /**
     * Mean 0 and variance 1 over the last dimensions, then weight · x + bias (Ba et al., 2016). 16-bit floats are
     * computed in float32.
     *
     * @param normalizedShape the last sizes of the input
     * @param weight of that shape, or null
     * @param bias of that shape, or null
     */
    public static Tensor layerNorm(
            Tensor input, long[] normalizedShape, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        int[] dims = lastDims(input, normalizedShape);
        requireShape("layer_norm", "weight", weight, normalizedShape);
        requireShape("layer_norm", "bias", bias, normalizedShape);
        return Scope.tidy(() -> {
            Tensor wide = input.dtype().bytes() == 2 ? input.float32() : input;
            Tensor centered = wide.sub(wide.mean(dims, true));
            Tensor variance = centered.square().mean(dims, true);
            Tensor normal = centered.mul(variance.add(eps).rsqrt());
            Tensor scaled = weight == null ? normal : normal.mul(weight);
            return (bias == null ? scaled : scaled.add(bias)).to(input.dtype());
        });
    }

    private static void requireShape(String op, String name, @Nullable Tensor tensor, long... sizes) {
        if (tensor != null && !tensor.shape().equals(Shape.of(sizes))) {
            throw new OpException(
                    op, "the " + name + " must have the shape " + Arrays.toString(sizes) + ", got " + tensor.shape());
        }
    }

    private static int[] lastDims(Tensor input, long[] normalizedShape) {
        int first = Arguments.required(input, "the input").dim() - normalizedShape.length;
        boolean fits = first >= 0
                && normalizedShape.length > 0
                && Arrays.equals(Arrays.copyOfRange(input.shape().toArray(), first, input.dim()), normalizedShape);
        if (!fits) {
            throw new OpException(
                    "layer_norm",
                    "the input must end in the normalized shape, got " + input.shape() + " and "
                            + Arrays.toString(normalizedShape));
        }
        return IntStream.range(first, input.dim()).toArray();
    }

    /**
     * Rows of a table.
     *
     * @param indices integers in any shape
     * @param weight {@code [rows, size]}
     * @return {@code [..., size]}
     */
    public static Tensor embedding(Tensor indices, Tensor weight) {
        Arguments.required(indices, "the indices");
        if (weight.dim() != 2 || !indices.dtype().isIntegral()) {
            throw new OpException(
                    "embedding",
                    "integers and a matrix are needed, got " + indices.type() + " and " + weight.type()
                            + (indices.dtype().isIntegral()
                                    ? ""
                                    : "; cast the indices with " + DTypeAdvice.cast(DType.INT64)));
        }
        return Scope.tidy(() -> {
            long[] sizes = Arrays.copyOf(indices.shape().toArray(), indices.dim() + 1);
            sizes[indices.dim()] = weight.size(1);
            Tensor rows = IndexTerms.named(
                    "embedding",
                    "index",
                    "rows",
                    weight,
                    () -> weight.indexSelect(0, indices.int64().flatten()));
            return rows.reshape(sizes);
        });
    }

    /** Zeros, and a 1 at each index: {@code [...]} gives {@code [..., classes]} (int64). */
    public static Tensor oneHot(Tensor indices, long classes) {
        if (!indices.dtype().isIntegral()) {
            throw new OpException("one_hot", DTypeAdvice.expected("the indices", DType.INT64, indices.dtype()));
        }
        return Scope.tidy(() -> {
            long[] sizes = Arrays.copyOf(indices.shape().toArray(), indices.dim() + 1);
            sizes[indices.dim()] = classes;
            Tensor places = indices.int64();
            return places.newZeros(sizes).scatter(-1, places.unsqueeze(-1), 1);
        });
    }

    /** As {@link #oneHot(Tensor, long)}, with one class more than the largest index; waits for it. */
    public static Tensor oneHot(Tensor indices) {
        return Scope.tidy(() -> oneHot(indices, indices.max().itemLong() + 1));
    }

    // ---- normalizations

    /** {@link #layerNorm}, and the mean and deviation that it went by; the normalized dimensions have size 1 there. */
    public static Normalized nativeLayerNorm(
            Tensor input, long[] normalizedShape, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        return Scope.tidy(
                () -> {
                    Normalized statistics = Normalizing.over(input, eps, lastDims(input, normalizedShape));
                    return new Normalized(
                            layerNorm(input, normalizedShape, weight, bias, eps),
                            statistics.mean(),
                            statistics.inverseDeviation());
                },
                Normalized::tensors);
    }

    /** {@link #nativeBatchNorm} without the statistics. */
    public static Tensor batchNorm(
            Tensor input,
            @Nullable Tensor runningMean,
            @Nullable Tensor runningVariance,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            boolean training,
            double momentum,
            double eps) {
        return Scope.tidy(
                () -> nativeBatchNorm(input, weight, bias, runningMean, runningVariance, training, momentum, eps)
                        .output());
    }

    /**
     * Channel by channel (dimension 1) mean 0 and variance 1 over everything else, then scaled and shifted.
     *
     * @param runningMean in training it is moved towards the batch's, in evaluation it takes its place; null in training
     *     if none is kept
     * @param runningVariance likewise
     * @param momentum the weight of the batch in both
     * @return with the statistics of the batch, without elements in evaluation
     */
    public static Normalized nativeBatchNorm(
            Tensor input,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            @Nullable Tensor runningMean,
            @Nullable Tensor runningVariance,
            boolean training,
            double momentum,
            double eps) {
        Normalizing.RunningStatistics running =
                new Normalizing.RunningStatistics(runningMean, runningVariance, momentum);
        return Scope.tidy(() -> Normalizing.batch(input, running, weight, bias, training, eps), Normalized::tensors);
    }

    /** As {@link #batchNorm} in training, each sample for itself. */
    public static Tensor instanceNorm(
            Tensor input,
            @Nullable Tensor runningMean,
            @Nullable Tensor runningVariance,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            double momentum,
            double eps) {
        return Scope.tidy(() -> {
            Normalizing.RunningStatistics running =
                    new Normalizing.RunningStatistics(runningMean, runningVariance, momentum);
            return Normalizing.instance(input, running, weight, bias, eps);
        });
    }

    /** Each sample for itself, over groups of channels, which are then scaled and shifted one by one. */
    public static Tensor groupNorm(
            Tensor input, int groups, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        return Scope.tidy(() -> Normalizing.group(input, groups, weight, bias, eps));
    }

    /** input / (k + alpha · mean square of {@code size} neighbouring channels)^beta. */
    public static Tensor localResponseNorm(Tensor input, long size, double alpha, double beta, double k) {
        return Scope.tidy(() -> Normalizing.localResponse(input, size, alpha, beta, k));
    }

    // ---- windows. One number stands for all dimensions, wherever an array of them is taken

    /** {@code conv1d(input, weight, bias, {1}, {0}, {1}, 1)}. */
    public static Tensor conv1d(Tensor input, Tensor weight, @Nullable Tensor bias) {
        return conv1d(input, weight, bias, ONE, ZERO, ONE, 1);
    }

    /** As {@link #conv2d(Tensor, Tensor, Tensor, long[], long[], long[], int)}, of lines in place of images. */
    public static Tensor conv1d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(() -> new Convolving(1, input, weight, bias).apply(stride, padding, dilation, groups));
    }

    /** As {@link #conv1d}, with the padding that a size of the result asks for. */
    public static Tensor conv1d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            WindowPadding padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(() -> new Convolving(1, input, weight, bias).padded(padding, stride, dilation, groups));
    }

    /** {@code conv2d(input, weight, bias, {1}, {0}, {1}, 1)}. */
    public static Tensor conv2d(Tensor input, Tensor weight, @Nullable Tensor bias) {
        return conv2d(input, weight, bias, ONE, ZERO, ONE, 1);
    }

    /**
     * At each place of the kernels in the image the sum of what meets, plus the bias.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param weight {@code [outputs, channels / groups, height, width]}
     * @param bias {@code [outputs]}, or null
     * @param stride how far from one place to the next
     * @param padding how many zeros are thought of on each side
     * @param dilation how far the elements of a kernel are apart
     * @param groups into how many parts channels and outputs are cut, each of which sees only its own
     */
    public static Tensor conv2d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(() -> new Convolving(2, input, weight, bias).apply(stride, padding, dilation, groups));
    }

    /** As {@link #conv2d}, with the padding that a size of the result asks for. */
    public static Tensor conv2d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            WindowPadding padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(() -> new Convolving(2, input, weight, bias).padded(padding, stride, dilation, groups));
    }

    /** {@link #maxPool1dWithIndices} without the indices. */
    public static Tensor maxPool1d(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(() -> maxPool1dWithIndices(input, window, stride, padding, dilation, ceil)
                .values());
    }

    /** As {@link #maxPool2dWithIndices}, of lines in place of images. */
    public static ValuesAndIndices maxPool1dWithIndices(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(
                () -> new Pooling("max", 1, input, window, stride, padding, dilation, ceil).max(),
                ValuesAndIndices::tensors);
    }

    /** {@code maxPool2d(input, {window}, {}, {0}, {1}, false)}: windows side by side. */
    public static Tensor maxPool2d(Tensor input, long window) {
        return maxPool2d(input, new long[] {window}, NONE, ZERO, ONE, false);
    }

    /** {@link #maxPool2dWithIndices} without the indices. */
    public static Tensor maxPool2d(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(() -> maxPool2dWithIndices(input, window, stride, padding, dilation, ceil)
                .values());
    }

    /**
     * The largest elements of windows, and where in its plane each is, row-major: the first of equals, and NaN outranks
     * all. Padding is never chosen.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param stride how far from one place to the next; as far as the window is long where it is empty
     * @param padding at most half of the window
     * @param ceil whether the last places may reach over the end, as long as they begin before
     */
    public static ValuesAndIndices maxPool2dWithIndices(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(
                () -> new Pooling("max", 2, input, window, stride, padding, dilation, ceil).max(),
                ValuesAndIndices::tensors);
    }

    /** As {@link #avgPool2d(Tensor, long[], long[], long[], boolean, boolean, Long)}, of lines in place of images. */
    public static Tensor avgPool1d(
            Tensor input, long[] window, long[] stride, long[] padding, boolean ceil, boolean countsPadding) {
        return Scope.tidy(
                () -> new Pooling("avg", 1, input, window, stride, padding, ONE, ceil).average(countsPadding, null));
    }

    /** {@code avgPool2d(input, {window}, {}, {0}, false, true, null)}: windows side by side. */
    public static Tensor avgPool2d(Tensor input, long window) {
        return avgPool2d(input, new long[] {window}, NONE, ZERO, false, true, null);
    }

    /**
     * The means of windows.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param stride how far from one place to the next; as far as the window is long where it is empty
     * @param padding at most half of the window
     * @param ceil whether the last places may reach over the end, as long as they begin before
     * @param countsPadding whether the zeros of the padding are elements of the mean
     * @param divisor what sums are divided by, or null for the number of elements
     */
    public static Tensor avgPool2d(
            Tensor input,
            long[] window,
            long[] stride,
            long[] padding,
            boolean ceil,
            boolean countsPadding,
            @Nullable Long divisor) {
        return Scope.tidy(
                () -> new Pooling("avg", 2, input, window, stride, padding, ONE, ceil).average(countsPadding, divisor));
    }

    // ---- volumes, transposed convolutions

    /** As {@link #conv2d(Tensor, Tensor, Tensor, long[], long[], long[], int)}, of volumes in place of images. */
    public static Tensor conv3d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(() -> new VolumeConvolving(input, weight, bias).apply(stride, padding, dilation, groups));
    }

    /** As {@link #conv3d}, with the padding that a size of the result asks for. */
    public static Tensor conv3d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            WindowPadding padding,
            long[] dilation,
            int groups) {
        return Scope.tidy(() -> new VolumeConvolving(input, weight, bias).padded(padding, stride, dilation, groups));
    }

    /** As {@link #convTranspose2d}, of lines in place of images. */
    public static Tensor convTranspose1d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] outputPadding,
            int groups,
            long[] dilation) {
        return Scope.tidy(() -> new TransposedConvolving(1, input, weight, bias)
                .apply(stride, padding, outputPadding, groups, dilation));
    }

    /**
     * What the gradient of a convolution does to its output: each element spreads the kernel over the result.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param weight {@code [channels, outputs / groups, height, width]}
     * @param outputPadding how much longer the result is at its end, below the stride or the dilation
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
        return Scope.tidy(() -> new TransposedConvolving(2, input, weight, bias)
                .apply(stride, padding, outputPadding, groups, dilation));
    }

    /** As {@link #convTranspose2d}, of volumes in place of images. */
    public static Tensor convTranspose3d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            long[] stride,
            long[] padding,
            long[] outputPadding,
            int groups,
            long[] dilation) {
        return Scope.tidy(() -> new TransposedConvolving(3, input, weight, bias)
                .apply(stride, padding, outputPadding, groups, dilation));
    }

    /** {@link #maxPool3dWithIndices} without the indices. */
    public static Tensor maxPool3d(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(() -> maxPool3dWithIndices(input, window, stride, padding, dilation, ceil)
                .values());
    }

    /** As {@link #maxPool2dWithIndices}, of volumes in place of images. */
    public static ValuesAndIndices maxPool3dWithIndices(
            Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        return Scope.tidy(
                () -> new VolumePooling("max", input, window, stride, padding, dilation, ceil).max(),
                ValuesAndIndices::tensors);
    }

    /** As {@link #avgPool2d(Tensor, long[], long[], long[], boolean, boolean, Long)}, of volumes in place of images. */
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

    // ---- pooling to a size, and back

    /** As {@link #adaptiveAvgPool2d}, of lines in place of images. */
    public static Tensor adaptiveAvgPool1d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("avg", 1, input, output).average());
    }

    /**
     * The means of as many windows as the result has places: that of place i begins at ⌊i · size / places⌋ and ends before
     * ⌈(i + 1) · size / places⌉.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param output the number of places, one for all dimensions or one for each; null keeps the input's size
     */
    public static Tensor adaptiveAvgPool2d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("avg", 2, input, output).average());
    }

    /** As {@link #adaptiveAvgPool2d}, of volumes in place of images. */
    public static Tensor adaptiveAvgPool3d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("avg", 3, input, output).average());
    }

    /** {@link #adaptiveMaxPool1dWithIndices} without the indices. */
    public static Tensor adaptiveMaxPool1d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> adaptiveMaxPool1dWithIndices(input, output).values());
    }

    /** As {@link #adaptiveMaxPool2dWithIndices}, of lines in place of images. */
    public static ValuesAndIndices adaptiveMaxPool1dWithIndices(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("max", 1, input, output).max(), ValuesAndIndices::tensors);
    }

    /** {@link #adaptiveMaxPool2dWithIndices} without the indices. */
    public static Tensor adaptiveMaxPool2d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> adaptiveMaxPool2dWithIndices(input, output).values());
    }

    /** The largest elements of the windows of {@link #adaptiveAvgPool2d}, and where in its plane each is, row-major. */
    public static ValuesAndIndices adaptiveMaxPool2dWithIndices(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("max", 2, input, output).max(), ValuesAndIndices::tensors);
    }

    /** {@link #adaptiveMaxPool3dWithIndices} without the indices. */
    public static Tensor adaptiveMaxPool3d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> adaptiveMaxPool3dWithIndices(input, output).values());
    }

    /** As {@link #adaptiveMaxPool2dWithIndices}, of volumes in place of images. */
    public static ValuesAndIndices adaptiveMaxPool3dWithIndices(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("max", 3, input, output).max(), ValuesAndIndices::tensors);
    }

    /** As {@link #maxUnpool2d}, of lines in place of images. */
    public static Tensor maxUnpool1d(
            Tensor input, Tensor indices, long[] window, long[] stride, long[] padding, long @Nullable [] output) {
        return Scope.tidy(() -> new Unpooling(1, input, indices).apply(window, stride, padding, output));
    }

    /**
     * Zeros, with each element where its index says: what {@link #maxPool2dWithIndices} took from there.
     *
     * @param stride as far as the window is long where it is empty
     * @param output the sizes of the result, with or without those of batch and channels; null for the smallest
     */
    public static Tensor maxUnpool2d(
            Tensor input, Tensor indices, long[] window, long[] stride, long[] padding, long @Nullable [] output) {
        return Scope.tidy(() -> new Unpooling(2, input, indices).apply(window, stride, padding, output));
    }

    /** As {@link #maxUnpool2d}, of volumes in place of images. */
    public static Tensor maxUnpool3d(
            Tensor input, Tensor indices, long[] window, long[] stride, long[] padding, long @Nullable [] output) {
        return Scope.tidy(() -> new Unpooling(3, input, indices).apply(window, stride, padding, output));
    }

    /**
     * The largest elements of as many windows as the output has places, which lie at random and may overlap (Graham, 2014), and where in their images they are.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param window how long windows are
     * @param output how many windows there are along each dimension
     * @param samples {@code [batch, channels, 2]}, in [0, 1): what is random of each channel, that of the width first
     */
    public static ValuesAndIndices fractionalMaxPool2dWithIndices(
            Tensor input, long[] window, long[] output, Tensor samples) {
        return Scope.tidy(
                () -> new FractionalPooling(2, input, window, output).max(samples), ValuesAndIndices::tensors);
    }

    /**
     * The largest elements of as many windows as the output has places, which lie at random and may overlap (Graham, 2014), and where in their volumes they are.
     *
     * @param input {@code [batch, channels, depth, height, width]}, or without the batch
     * @param window how long windows are
     * @param output how many windows there are along each dimension
     * @param samples {@code [batch, channels, 3]}, in [0, 1): what is random of each channel
     */
    public static ValuesAndIndices fractionalMaxPool3dWithIndices(
            Tensor input, long[] window, long[] output, Tensor samples) {
        return Scope.tidy(
                () -> new FractionalPooling(3, input, window, output).max(samples), ValuesAndIndices::tensors);
    }

    // ---- other sizes, other places

    /** {@code interpolate(input, size, null, mode, alignCorners, false, false)}. */
    public static Tensor interpolate(Tensor input, long[] size, InterpolationMode mode, boolean alignCorners) {
        return interpolate(input, size, null, mode, alignCorners, false, false);
    }

    /** {@code interpolate(input, null, scaleFactor, mode, alignCorners, false, false)}. */
    public static Tensor interpolate(Tensor input, double[] scaleFactor, InterpolationMode mode, boolean alignCorners) {
        return interpolate(input, null, scaleFactor, mode, alignCorners, false, false);
    }

    /**
     * Lines, images or volumes of another size.
     *
     * @param input {@code [batch, channels, ...]} with one to three more dimensions
     * @param size of the result, one for all dimensions or one for each; null where there is a factor
     * @param scaleFactor how many times as large the result is, one number or one for each dimension; null where there is a size
     * @param alignCorners whether the centres of the corners stay where they are, not the corners' edges; linear and cubic only
     * @param recomputeScaleFactor whether distances come from the sizes in the place of the factor
     * @param antialias whether what gets smaller is smoothed first; images, linear and cubic only
     */
    public static Tensor interpolate(
            Tensor input,
            long @Nullable [] size,
            double @Nullable [] scaleFactor,
            InterpolationMode mode,
            boolean alignCorners,
            boolean recomputeScaleFactor,
            boolean antialias) {
        return Scope.tidy(() ->
                new Resampling(input, size, scaleFactor, mode, alignCorners, recomputeScaleFactor).apply(antialias));
    }

    /**
     * The elements at places that a grid names. Gradients flow to both.
     *
     * @param input {@code [batch, channels, height, width]}, or with a depth before the height
     * @param grid {@code [batch, ..., 2]}, or 3: coordinates from -1 to 1, that of the last dimension first
     * @param mode {@link InterpolationMode#NEAREST}, {@link InterpolationMode#LINEAR}, or for images {@link InterpolationMode#BICUBIC}
     * @param padding what is outside of the input
     * @param alignCorners whether -1 and 1 are the centres of the corners, not the corners' edges
     * @return {@code [batch, channels, ...]}, with the grid's dimensions
     */
    public static Tensor gridSample(
            Tensor input, Tensor grid, InterpolationMode mode, GridPadding padding, boolean alignCorners) {
        return Scope.tidy(() -> {
            GridSampling sampling = new GridSampling(input, grid, padding, alignCorners);
            return switch (mode) {
                case NEAREST -> sampling.nearest();
                case LINEAR -> sampling.linear();
                case BICUBIC -> sampling.cubic();
                case NEAREST_EXACT, AREA ->
                    throw new OpException("grid_sample", "the mode is nearest, linear or cubic, got " + mode);
            };
        });
    }

    /**
     * The grid that an affine map makes for {@link #gridSample}.
     *
     * @param theta {@code [batch, 2, 3]} for images, {@code [batch, 3, 4]} for volumes
     * @param size of the result of sampling, with batch and channels
     */
    public static Tensor affineGrid(Tensor theta, long[] size, boolean alignCorners) {
        return Scope.tidy(() -> AffineGrid.of(theta, size, alignCorners));
    }

    // ---- attention, pairs, pixels

    /** {@code scaledDotProductAttention(query, key, value, null, isCausal)}. */
    public static Attention scaledDotProductAttention(Tensor query, Tensor key, Tensor value, boolean isCausal) {
        return scaledDotProductAttention(query, key, value, null, isCausal);
    }

    /** With a scale of 1 / √features. */
    public static Attention scaledDotProductAttention(
            Tensor query, Tensor key, Tensor value, @Nullable Tensor mask, boolean isCausal) {
        return Attention.of(query, key, value, mask, isCausal, Attention.scale(query));
    }

    /**
     * softmax(scale · q · kᵀ + mask) · v. Heads are the third dimension from the end; where there are fewer of keys and
     * values, neighbouring heads share them (grouped heads). Other dimensions in front broadcast.
     *
     * @param query {@code [..., heads, queries, features]}
     * @param key {@code [..., groups, keys, features]}
     * @param value {@code [..., groups, keys, value features]}
     * @param mask broadcasts to {@code [..., heads, queries, keys]}: bool, true where a key is seen, or numbers that are
     *     added; or null. A query that sees nothing has NaN for an answer, and none for a gradient where a bool mask says so
     * @param isCausal whether a query sees the keys up to its own place only; then there is no mask
     * @param scale what the products of queries and keys are multiplied by
     */
    public static Attention scaledDotProductAttention(
            Tensor query, Tensor key, Tensor value, @Nullable Tensor mask, boolean isCausal, double scale) {
        return Attention.of(query, key, value, mask, isCausal, scale);
    }

    /** For each output feature {@code first · weight[o] · second}, plus a bias that may be null. */
    public static Tensor bilinear(Tensor first, Tensor second, Tensor weight, @Nullable Tensor bias) {
        return Scope.tidy(() -> {
            Tensor product = first.einsum("...i,oij,...j->...o", weight, second);
            return bias == null ? product : product.add(bias);
        });
    }

    /**
     * The windows of images as columns: {@code [n, c, h, w]} becomes {@code [n, c · window, count]} (im2col). Each pair is
     * for height and width.
     */
    public static Tensor unfold(Tensor input, long[] window, long[] dilation, long[] padding, long[] stride) {
        return Scope.tidy(() -> Windows.columns(input, window, dilation, padding, stride));
    }

    /**
     * Columns summed into images, as what {@link #unfold} took from there: {@code [n, c · window, count]} becomes
     * {@code [n, c, height, width]} (col2im). Each pair is for height and width.
     *
     * @param input with or without the batch
     * @param output height and width of the images
     */
    public static Tensor fold(
            Tensor input, long[] output, long[] window, long[] dilation, long[] padding, long[] stride) {
        return Scope.tidy(() -> Windows.images(input, output, window, dilation, padding, stride));
    }

    /** Channels as squares of pixels: {@code [..., c · r², h, w]} becomes {@code [..., c, h · r, w · r]}. */
    public static Tensor pixelShuffle(Tensor input, int factor) {
        return Pixels.shuffle(input, factor);
    }

    /** The inverse of {@link #pixelShuffle}. */
    public static Tensor pixelUnshuffle(Tensor input, int factor) {
        return Pixels.unshuffle(input, factor);
    }

    /**
     * {@link #embedding}, of bags of indices that become one row each.
     *
     * @param indices a matrix, each row a bag
     * @param rowWeights factors of the rows, for sums only, or null
     */
    public static Tensor embeddingBag(Tensor indices, Tensor weight, BagMode mode, @Nullable Tensor rowWeights) {
        return Scope.tidy(() -> Bags.ofRows(indices, weight, mode, rowWeights));
    }

    /** As {@link #embeddingBag(Tensor, Tensor, BagMode, Tensor)}, of a vector; each bag starts at an offset. */
    public static Tensor embeddingBag(
            Tensor indices, Tensor weight, Tensor offsets, BagMode mode, @Nullable Tensor rowWeights) {
        return Scope.tidy(() -> Bags.of(indices, weight, offsets, mode, rowWeights));
    }

    // ---- activations

    public static Tensor relu(Tensor input) {
        return Arguments.required(input, "the input").relu();
    }

    public static Tensor gelu(Tensor input) {
        return Arguments.required(input, "the input").gelu();
    }

    public static Tensor silu(Tensor input) {
        return Arguments.required(input, "the input").silu();
    }

    public static Tensor softplus(Tensor input) {
        return Arguments.required(input, "the input").softplus();
    }

    public static Tensor leakyRelu(Tensor input, double slope) {
        return Arguments.required(input, "the input").leakyRelu(slope);
    }

    public static Tensor softmax(Tensor input, int dim) {
        return Arguments.required(input, "the input").softmax(dim);
    }

    public static Tensor logSoftmax(Tensor input, int dim) {
        return Arguments.required(input, "the input").logSoftmax(dim);
    }

    // ---- distances

    /** input divided by its p-norm along a dimension, or by eps where that is larger. */
    public static Tensor normalize(Tensor input, double p, int dim, double eps) {
        return Scope.tidy(() -> input.div(input.norm(p, dim, true).clampMin(eps)));
    }

    /** {@code normalize(input, 2, dim, 1e-12)}. */
    public static Tensor normalize(Tensor input, int dim) {
        return normalize(input, 2, dim, 1e-12);
    }

    /** The cosine of the angle between two vectors along a dimension; norms count as eps at least. */
    public static Tensor cosineSimilarity(Tensor first, Tensor second, int dim, double eps) {
        return Scope.tidy(() -> {
            DType dtype = Dispatch.resultType(first, second);
            Shape shape = Tensors.broadcastShapes(first.shape(), second.shape());
            Tensor left = unit(first.to(dtype).expand(shape), dim, eps);
            return left.mul(unit(second.to(dtype).expand(shape), dim, eps)).sum(dim);
        });
    }

    /** As in PyTorch, a gradient flows through the norm also where it is too small to divide by. */
    private static Tensor unit(Tensor vectors, int dim, double eps) {
        Tensor norm = vectors.norm(2, dim, true);
        Tensor missing = GradMode.noGrad(() -> norm.clampMin(eps).sub(norm));
        return vectors.div(norm.add(missing));
    }

    /** {@code cosineSimilarity(first, second, dim, 1e-8)}. */
    public static Tensor cosineSimilarity(Tensor first, Tensor second, int dim) {
        return cosineSimilarity(first, second, dim, 1e-8);
    }

    /** The p-norm of first - second + eps along the last dimension. */
    public static Tensor pairwiseDistance(Tensor first, Tensor second, double p, double eps, boolean keepDim) {
        return Scope.tidy(() -> first.sub(second).add(eps).norm(p, -1, keepDim));
    }

    /** {@code pairwiseDistance(first, second, 2, 1e-6, false)}. */
    public static Tensor pairwiseDistance(Tensor first, Tensor second) {
        return pairwiseDistance(first, second, 2, 1e-6, false);
    }

    // ---- losses of distances

    public static Tensor mseLoss(Tensor input, Tensor target) {
        return mseLoss(input, target, Reduction.MEAN);
    }

    /** (input - target)². */
    public static Tensor mseLoss(Tensor input, Tensor target, Reduction reduction) {
        return Arguments.required(reduction, "the reduction").of(() -> Losses.squared(input, target));
    }

    public static Tensor l1Loss(Tensor input, Tensor target) {
        return l1Loss(input, target, Reduction.MEAN);
    }

    /** |input - target|. */
    public static Tensor l1Loss(Tensor input, Tensor target, Reduction reduction) {
        return Arguments.required(reduction, "the reduction").of(() -> Losses.absolute(input, target));
    }

    public static Tensor smoothL1Loss(Tensor input, Tensor target) {
        return smoothL1Loss(input, target, 1, Reduction.MEAN);
    }

    /** d² / (2 · beta) for distances d below beta, d - beta / 2 above (Girshick, "Fast R-CNN", 2015). */
    public static Tensor smoothL1Loss(Tensor input, Tensor target, double beta, Reduction reduction) {
        return Arguments.required(reduction, "the reduction").of(() -> Losses.smoothAbsolute(input, target, beta));
    }

    public static Tensor huberLoss(Tensor input, Tensor target) {
        return huberLoss(input, target, 1, Reduction.MEAN);
    }

    /** d² / 2 for distances d below delta, delta · (d - delta / 2) above (Huber, 1964). */
    public static Tensor huberLoss(Tensor input, Tensor target, double delta, Reduction reduction) {
        return Arguments.required(reduction, "the reduction").of(() -> Losses.huber(input, target, delta));
    }

    // ---- losses of classifiers

    public static Tensor crossEntropy(Tensor input, Tensor target) {
        return crossEntropy(input, target, null, NO_INDEX, Reduction.MEAN, 0);
    }

    public static Tensor crossEntropy(Tensor input, Tensor target, Reduction reduction) {
        return crossEntropy(input, target, null, NO_INDEX, reduction, 0);
    }

    /**
     * The negative logarithm of the probability that softmax gives the target.
     *
     * @param input logits, {@code [classes]}, {@code [batch, classes]} or {@code [batch, classes, d1, ...]}
     * @param target classes (integers) in the input's shape without that of the classes, or probabilities (floats) in
     *     the input's shape
     * @param weight one for each class, or null; with {@link Reduction#MEAN} and classes as targets losses are divided
     *     by the sum of the targets' weights
     * @param ignoreIndex the class that counts for nothing; -100 by default
     * @param labelSmoothing the share of the target that is spread evenly over all classes (Szegedy et al., 2016)
     */
    public static Tensor crossEntropy(
            Tensor input,
            Tensor target,
            @Nullable Tensor weight,
            long ignoreIndex,
            Reduction reduction,
            double labelSmoothing) {
        return Scope.tidy(
                () -> ClassLosses.crossEntropy(input, target, weight, ignoreIndex, reduction, labelSmoothing));
    }

    public static Tensor nllLoss(Tensor input, Tensor target) {
        return nllLoss(input, target, null, NO_INDEX, Reduction.MEAN);
    }

    /** {@link #crossEntropy} of inputs that are logarithms of probabilities already, with classes as targets. */
    public static Tensor nllLoss(
            Tensor input, Tensor target, @Nullable Tensor weight, long ignoreIndex, Reduction reduction) {
        return Scope.tidy(() -> ClassLosses.nll(input, target, weight, ignoreIndex, reduction));
    }

    public static Tensor binaryCrossEntropy(Tensor input, Tensor target) {
        return binaryCrossEntropy(input, target, null, Reduction.MEAN);
    }

    /** -target · log(input) - (1 - target) · log(1 - input), logarithms not below -100; input in [0, 1]. */
    public static Tensor binaryCrossEntropy(Tensor input, Tensor target, @Nullable Tensor weight, Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> ClassLosses.binaryCrossEntropy(input, target, weight));
    }

    public static Tensor binaryCrossEntropyWithLogits(Tensor input, Tensor target) {
        return binaryCrossEntropyWithLogits(input, target, null, null, Reduction.MEAN);
    }

    /**
     * {@link #binaryCrossEntropy} of sigmoid(input), without overflow.
     *
     * @param weight scales the losses, or null
     * @param posWeight scales those of positive targets, or null
     */
    public static Tensor binaryCrossEntropyWithLogits(
            Tensor input, Tensor target, @Nullable Tensor weight, @Nullable Tensor posWeight, Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> ClassLosses.binaryCrossEntropyWithLogits(input, target, weight, posWeight));
    }

    /**
     * target · (log(target) - input), the terms of the Kullback-Leibler divergence.
     *
     * @param input logarithms of probabilities
     * @param logTarget whether the target's are logarithms as well
     */
    public static Tensor klDiv(Tensor input, Tensor target, boolean logTarget, Reduction reduction) {
        return Arguments.required(reduction, "the reduction").of(() -> ClassLosses.klDiv(input, target, logTarget));
    }

    // ---- losses of margins and likelihoods

    /** input where the target is 1, max(0, margin - input) where it is -1. */
    public static Tensor hingeEmbeddingLoss(Tensor input, Tensor target, double margin, Reduction reduction) {
        return Arguments.required(reduction, "the reduction").of(() -> Losses.hingeEmbedding(input, target, margin));
    }

    /** max(0, -target · (first - second) + margin). */
    public static Tensor marginRankingLoss(
            Tensor first, Tensor second, Tensor target, double margin, Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> Losses.marginRanking(first, second, target, margin));
    }

    /** 1 - cosine where the target is 1, max(0, cosine - margin) where it is -1; vectors lie in the last dimension. */
    public static Tensor cosineEmbeddingLoss(
            Tensor first, Tensor second, Tensor target, double margin, Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> Losses.cosineEmbedding(first, second, target, margin));
    }

    /** log(1 + exp(-target · input)). */
    public static Tensor softMarginLoss(Tensor input, Tensor target, Reduction reduction) {
        return Arguments.required(reduction, "the reduction").of(() -> Losses.softMargin(input, target));
    }

    /**
     * (log(variance) + (input - target)² / variance) / 2, variances counting as eps at least.
     *
     * @param full whether log(2π) / 2 is added
     */
    public static Tensor gaussianNllLoss(
            Tensor input, Tensor target, Tensor variance, boolean full, double eps, Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> Losses.gaussianNll(input, target, variance, full, eps));
    }

    /**
     * exp(input) - target · input, or, unless the input is a logarithm, input - target · log(input + eps).
     *
     * @param full whether Stirling's approximation of log(target!) is added
     */
    public static Tensor poissonNllLoss(
            Tensor input, Tensor target, boolean logInput, boolean full, double eps, Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> Losses.poissonNll(input, target, logInput, full, eps));
    }

    /** {@code tripletMarginLoss(anchor, positive, negative, 1, 2, 1e-6, false, MEAN)}. */
    public static Tensor tripletMarginLoss(Tensor anchor, Tensor positive, Tensor negative) {
        return tripletMarginLoss(anchor, positive, negative, 1, 2, 1e-6, false, Reduction.MEAN);
    }

    /**
     * max(0, distance(anchor, positive) - distance(anchor, negative) + margin), by {@link #pairwiseDistance}.
     *
     * @param swap whether the distance of positive and negative replaces that of anchor and negative if it is smaller
     */
    public static Tensor tripletMarginLoss(
            Tensor anchor,
            Tensor positive,
            Tensor negative,
            double margin,
            double p,
            double eps,
            boolean swap,
            Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> Losses.tripletMargin(anchor, positive, negative, margin, p, eps, swap));
    }

    // ---- losses of classifiers by margins

    /** Σ max(0, margin - score of the class + score of another)^p / classes, over the other classes. */
    public static Tensor multiMarginLoss(
            Tensor input, Tensor target, double p, double margin, @Nullable Tensor weight, Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> MarginLosses.multi(input, target, p, margin, weight));
    }

    /**
     * Σ max(0, 1 - score of a class + score of another) / classes, over all pairs of a class of the sample and another.
     *
     * @param target a sample's classes, up to the first negative one
     */
    public static Tensor multilabelMarginLoss(Tensor input, Tensor target, Reduction reduction) {
        return Arguments.required(reduction, "the reduction").of(() -> MarginLosses.multilabel(input, target));
    }

    /** The mean over the classes of binary cross entropies. */
    public static Tensor multilabelSoftMarginLoss(
            Tensor input, Tensor target, @Nullable Tensor weight, Reduction reduction) {
        return Arguments.required(reduction, "the reduction")
                .of(() -> MarginLosses.multilabelSoft(input, target, weight));
    }

    /**
     * The negative logarithm of the probability of targets, over all ways to align them with the input (connectionist temporal
     * classification). As PyTorch's, its gradient takes the input for normalized: that of logits behind a logSoftmax.
     *
     * @param logProbs {@code [time, batch, classes]}, or without the batch
     * @param targets {@code [batch, length]}, or all of them one behind the other
     * @param inputLengths how many steps of each of the batch count
     * @param targetLengths how long each target is
     * @param blank the class that stands for none
     * @param reduction the mean is that of losses over the lengths of their targets
     * @param zeroInfinity whether targets that are longer than their input count as 0, not as infinite
     */
    public static Tensor ctcLoss(
            Tensor logProbs,
            Tensor targets,
            Tensor inputLengths,
            Tensor targetLengths,
            long blank,
            Reduction reduction,
            boolean zeroInfinity) {
        Arguments.required(reduction, "the reduction");
        return Scope.tidy(() -> {
            boolean isBatch = logProbs.dim() == 3;
            Tensor batch = isBatch ? logProbs : logProbs.unsqueeze(1);
            Tensor each = isBatch || targets.dim() != 1 ? targets : targets.unsqueeze(0);
            Tensor finite = Ctc.losses(batch, each, inputLengths, targetLengths, blank, zeroInfinity);
            return switch (reduction) {
                case NONE -> isBatch ? finite : finite.squeeze(0);
                case MEAN ->
                    finite.div(targetLengths.view(finite.shape()).clampMin(1).to(finite.dtype()))
                            .mean();
                case SUM, BATCHMEAN -> reduction.apply(finite);
            };
        });
    }
}
