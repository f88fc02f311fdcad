package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Pooling to a size and back, and images of other sizes. A part of {@link Functional}. */
abstract sealed class ResizingFunctions extends WindowFunctions permits ElementFunctions {

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
}
