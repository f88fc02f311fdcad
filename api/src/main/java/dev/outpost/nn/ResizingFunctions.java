package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Pooling to a given size, unpooling, and resizing and sampling of images. A part of {@link Functional}. */
abstract sealed class ResizingFunctions extends WindowFunctions permits ElementFunctions {

    // ---- pooling to a size, and back

    /** Like {@link #adaptiveAvgPool2d}, but for lines instead of images. */
    public static Tensor adaptiveAvgPool1d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("avg", 1, input, output).average());
    }

    /**
     * Computes the means of windows, one for each element of the result. Window i begins at ⌊i · size / count⌋ and ends before ⌈(i + 1) ·
     * size / count⌉.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param output the number of windows, one for all dimensions or one for each; null keeps the input's size
     */
    public static Tensor adaptiveAvgPool2d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("avg", 2, input, output).average());
    }

    /** Like {@link #adaptiveAvgPool2d}, but for volumes instead of images. */
    public static Tensor adaptiveAvgPool3d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("avg", 3, input, output).average());
    }

    /** Returns {@link #adaptiveMaxPool1dWithIndices} without the indices. */
    public static Tensor adaptiveMaxPool1d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> adaptiveMaxPool1dWithIndices(input, output).values());
    }

    /** Like {@link #adaptiveMaxPool2dWithIndices}, but for lines instead of images. */
    public static ValuesAndIndices adaptiveMaxPool1dWithIndices(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("max", 1, input, output).max(), ValuesAndIndices::tensors);
    }

    /** Returns {@link #adaptiveMaxPool2dWithIndices} without the indices. */
    public static Tensor adaptiveMaxPool2d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> adaptiveMaxPool2dWithIndices(input, output).values());
    }

    /** Returns the largest elements of the windows of {@link #adaptiveAvgPool2d}, and the row-major index of each in its plane. */
    public static ValuesAndIndices adaptiveMaxPool2dWithIndices(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("max", 2, input, output).max(), ValuesAndIndices::tensors);
    }

    /** Returns {@link #adaptiveMaxPool3dWithIndices} without the indices. */
    public static Tensor adaptiveMaxPool3d(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> adaptiveMaxPool3dWithIndices(input, output).values());
    }

    /** Like {@link #adaptiveMaxPool2dWithIndices}, but for volumes instead of images. */
    public static ValuesAndIndices adaptiveMaxPool3dWithIndices(Tensor input, @Nullable Long... output) {
        return Scope.tidy(() -> new AdaptivePooling("max", 3, input, output).max(), ValuesAndIndices::tensors);
    }

    /** Like {@link #maxUnpool2d}, but for lines instead of images. */
    public static Tensor maxUnpool1d(
            Tensor input, Tensor indices, long[] window, long[] stride, long[] padding, long @Nullable [] output) {
        return Scope.tidy(() -> new Unpooling(1, input, indices).apply(window, stride, padding, output));
    }

    /**
     * Returns zeros, with each element at its index: the places from which {@link #maxPool2dWithIndices} took them.
     *
     * @param stride the distance between windows; the window's size if empty
     * @param output the sizes of the result, with or without the sizes of batch and channels; null for the smallest
     */
    public static Tensor maxUnpool2d(
            Tensor input, Tensor indices, long[] window, long[] stride, long[] padding, long @Nullable [] output) {
        return Scope.tidy(() -> new Unpooling(2, input, indices).apply(window, stride, padding, output));
    }

    /** Like {@link #maxUnpool2d}, but for volumes instead of images. */
    public static Tensor maxUnpool3d(
            Tensor input, Tensor indices, long[] window, long[] stride, long[] padding, long @Nullable [] output) {
        return Scope.tidy(() -> new Unpooling(3, input, indices).apply(window, stride, padding, output));
    }

    /**
     * Returns the largest elements of windows at random places, which may overlap (Graham, 2014), and their indices in their images.
     *
     * @param input {@code [batch, channels, height, width]}, or without the batch
     * @param window the sizes of windows
     * @param output the number of windows along each dimension
     * @param samples the random numbers of each channel, {@code [batch, channels, 2]}, in [0, 1); the number for the
     * width comes first
     */
    public static ValuesAndIndices fractionalMaxPool2dWithIndices(
            Tensor input, long[] window, long[] output, Tensor samples) {
        return Scope.tidy(
                () -> new FractionalPooling(2, input, window, output).max(samples), ValuesAndIndices::tensors);
    }

    /**
     * Returns the largest elements of windows at random places, which may overlap (Graham, 2014), and their indices in their volumes.
     *
     * @param input {@code [batch, channels, depth, height, width]}, or without the batch
     * @param window the sizes of windows
     * @param output the number of windows along each dimension
     * @param samples the random numbers of each channel, {@code [batch, channels, 3]}, in [0, 1)
     */
    public static ValuesAndIndices fractionalMaxPool3dWithIndices(
            Tensor input, long[] window, long[] output, Tensor samples) {
        return Scope.tidy(
                () -> new FractionalPooling(3, input, window, output).max(samples), ValuesAndIndices::tensors);
    }

    // ---- resizing and sampling

    /** Same as {@code interpolate(input, size, null, mode, alignCorners, false, false)}. */
    public static Tensor interpolate(Tensor input, long[] size, InterpolationMode mode, boolean alignCorners) {
        return interpolate(input, size, null, mode, alignCorners, false, false);
    }

    /** Same as {@code interpolate(input, null, scaleFactor, mode, alignCorners, false, false)}. */
    public static Tensor interpolate(Tensor input, double[] scaleFactor, InterpolationMode mode, boolean alignCorners) {
        return interpolate(input, null, scaleFactor, mode, alignCorners, false, false);
    }

    /**
     * Resizes lines, images or volumes.
     *
     * @param input {@code [batch, channels, ...]} with one to three more dimensions
     * @param size the size of the result, one for all dimensions or one for each; null if there is a factor
     * @param scaleFactor the factor of the size, one number or one for each dimension; null if there is a size
     * @param alignCorners true if the centres of the corners stay where they are, not the corners' edges; linear and cubic only
     * @param recomputeScaleFactor true to compute distances from the sizes instead of the factor
     * @param antialias true to smooth an input that gets smaller; images, linear and cubic only
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
     * Returns the elements at the places of a grid. Gradients flow to both.
     *
     * @param input {@code [batch, channels, height, width]}, or with a depth before the height
     * @param grid {@code [batch, ..., 2]}, or 3: coordinates from -1 to 1, the coordinate of the last dimension first
     * @param mode {@link InterpolationMode#NEAREST}, {@link InterpolationMode#LINEAR}, or for images {@link InterpolationMode#BICUBIC}
     * @param padding the values outside of the input
     * @param alignCorners true if -1 and 1 are the centres of the corners, not the corners' edges
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
     * Returns the grid of an affine map for {@link #gridSample}.
     *
     * @param theta {@code [batch, 2, 3]} for images, {@code [batch, 3, 4]} for volumes
     * @param size the size of the result of sampling, with batch and channels
     */
    public static Tensor affineGrid(Tensor theta, long[] size, boolean alignCorners) {
        return Scope.tidy(() -> AffineGrid.of(theta, size, alignCorners));
    }
}
