package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Resizes lines, images and volumes, dimension by dimension; see {@link Functional} for the modes. */
final class Resampling {
    private static final String OP = "interpolate";

    private final Tensor input;
    private final int dims;
    private final long[] sizes;
    private final double[] scales;
    private final InterpolationMode mode;
    private final boolean alignsCorners;

    /**
     * @param size the size of the output, one for all dimensions or one for each, or null
     * @param factor the factor of the size, one for all dimensions or one for each, or null; exactly one of size and factor is given
     * @param recomputes true to compute distances from the sizes and not from the factor
     */
    Resampling(
            Tensor input,
            long @Nullable [] size,
            double @Nullable [] factor,
            InterpolationMode mode,
            boolean alignsCorners,
            boolean recomputes) {
        this.input = ArgumentChecks.required(input, "the input");
        this.mode = ArgumentChecks.required(mode, "the mode");
        this.alignsCorners = alignsCorners;
        dims = input.dim() - 2;
        if (dims < 1 || dims > 3) {
            throw new OpException(OP, "a batch of channels of 1 to 3 dimensions is needed, got " + input.shape());
        }
        if ((size == null) == (factor == null)) {
            throw new OpException(OP, "either the size or the scale factor must be given");
        }
        boolean isSmooth = mode == InterpolationMode.LINEAR || mode == InterpolationMode.BICUBIC;
        if (alignsCorners && !isSmooth) {
            throw new OpException(OP, "corners are aligned by linear and cubic modes only, got " + mode);
        }
        if (isSmooth && !input.dtype().isFloating()) {
            throw new OpException(OP, "needs a floating dtype, got " + input.dtype());
        }
        sizes = size == null ? scaled(each("the scale factor", factor)) : Sizes.each(OP, "the size", dims, size);
        scales = new double[dims];
        for (int dim = 0; dim < dims; dim++) {
            if (sizes[dim] < 1 || input.size(dim + 2) < 1) {
                throw new OpException(
                        OP, "sizes must be positive, got " + input.shape() + " and " + Arrays.toString(sizes));
            }
            scales[dim] = scale(dim, factor == null || recomputes ? null : each("the scale factor", factor)[dim]);
        }
    }

    private double[] each(String name, double[] given) {
        if (given.length != 1 && given.length != dims) {
            throw new OpException(
                    OP,
                    name + " needs one number or one for each of " + dims + " dimensions, got "
                            + Arrays.toString(given));
        }
        return given.length == dims ? given : filled(given[0]);
    }

    private double[] filled(double number) {
        double[] numbers = new double[dims];
        Arrays.fill(numbers, number);
        return numbers;
    }

    private long[] scaled(double[] factors) {
        long[] scaled = new long[dims];
        for (int dim = 0; dim < dims; dim++) {
            scaled[dim] = (long) Math.floor(input.size(dim + 2) * factors[dim]);
        }
        return scaled;
    }

    /** Returns the distance in the input between two neighbours of the output. */
    private double scale(int dim, @Nullable Double factor) {
        long from = input.size(dim + 2);
        if (alignsCorners) {
            return sizes[dim] > 1 ? (double) (from - 1) / (sizes[dim] - 1) : 0;
        }
        return factor != null && factor > 0 ? 1 / factor : (double) from / sizes[dim];
    }

    Tensor apply(boolean antialias) {
        if (mode == InterpolationMode.AREA) {
            return new AdaptivePooling(
                            "avg", dims, input, Arrays.stream(sizes).boxed().toArray(Long[]::new))
                    .average();
        }
        if (antialias && (dims != 2 || !input.dtype().isFloating() || mode == InterpolationMode.NEAREST)) {
            throw new OpException(OP, "antialias is for linear and cubic modes of images, got " + mode);
        }
        boolean isNarrow = input.dtype() == DType.FLOAT16 || input.dtype() == DType.BFLOAT16;
        Tensor result = isNarrow ? input.to(DType.FLOAT32) : input;
        for (int dim = 0; dim < dims; dim++) {
            result = antialias ? smoothed(result, dim) : resampled(result, dim);
        }
        return isNarrow ? result.to(input.dtype()) : result;
    }

    private Tensor resampled(Tensor tensor, int dim) {
        return switch (mode) {
            case NEAREST -> tensor.indexSelect(dim + 2, nearest(dim, 0));
            case NEAREST_EXACT -> tensor.indexSelect(dim + 2, nearest(dim, 0.5f));
            case LINEAR -> linear(tensor, dim);
            case BICUBIC -> cubic(tensor, dim);
            case AREA -> throw new IllegalStateException("a mean is no sum of neighbours");
        };
    }

    private Tensor nearest(int dim, float offset) {
        long[] indices = new long[Math.toIntExact(sizes[dim])];
        for (int place = 0; place < indices.length; place++) {
            long index = (long) Math.floor((place + offset) * (float) scales[dim]);
            indices[place] = Math.min(index, input.size(dim + 2) - 1);
        }
        return input.machine().tensor(indices);
    }

    /** Returns the position of an output element among the input's elements. */
    private double position(int dim, int place) {
        return alignsCorners ? place * scales[dim] : scales[dim] * (place + 0.5) - 0.5;
    }

    private Tensor linear(Tensor tensor, int dim) {
        Taps taps = new Taps(2, Math.toIntExact(sizes[dim]), input.size(dim + 2));
        for (int place = 0; place < sizes[dim]; place++) {
            double position = Math.max(0, position(dim, place));
            long below = (long) position;
            taps.set(place, 0, below, 1 - (position - below));
            taps.set(place, 1, below + 1, position - below);
        }
        return taps.of(tensor, dim + 2);
    }

    private Tensor cubic(Tensor tensor, int dim) {
        Taps taps = new Taps(4, Math.toIntExact(sizes[dim]), input.size(dim + 2));
        for (int place = 0; place < sizes[dim]; place++) {
            double position = position(dim, place);
            long below = (long) Math.floor(position);
            for (int tap = 0; tap < 4; tap++) {
                taps.set(place, tap, below - 1 + tap, Cubic.weight(position - below + 1 - tap, Cubic.SHARP));
            }
        }
        return taps.of(tensor, dim + 2);
    }

    /**
     * Resizes like Pillow: an output element is the weighted sum of the input elements that it covers. Weights are
     * computed from a triangle or from the cubic kernel.
     */
    private Tensor smoothed(Tensor tensor, int dim) {
        long from = input.size(dim + 2);
        double stretch = Math.max(1, scales[dim]);
        double support = (mode == InterpolationMode.LINEAR ? 1 : 2) * stretch;
        int count = 2 * (int) Math.ceil(support) + 1;
        Taps taps = new Taps(count, Math.toIntExact(sizes[dim]), from);
        for (int place = 0; place < sizes[dim]; place++) {
            double center = scales[dim] * (place + 0.5);
            long first = Math.max(0, (long) (center - support + 0.5));
            long end = Math.min(from, (long) (center + support + 0.5));
            double sum = 0;
            for (long element = first; element < end; element++) {
                sum += smoothing((element - center + 0.5) / stretch);
            }
            for (long element = first; element < end; element++) {
                taps.set(place, (int) (element - first), element, smoothing((element - center + 0.5) / stretch) / sum);
            }
        }
        return taps.of(tensor, dim + 2);
    }

    private double smoothing(double distance) {
        return mode == InterpolationMode.LINEAR
                ? Math.max(0, 1 - Math.abs(distance))
                : Cubic.weight(distance, Cubic.SOFT);
    }
}
