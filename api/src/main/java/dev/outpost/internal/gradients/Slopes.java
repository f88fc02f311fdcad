package dev.outpost.internal.gradients;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.ops.Differences;
import dev.outpost.internal.ops.Dims;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Axes;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Slopes of samples as in numpy.gradient: the slope of the parabola through a sample and its neighbours. At the ends, it is the slope
 * of a line or a parabola.
 */
public final class Slopes {
    private final Tensor samples;
    private final int axis;
    private final Tensor steps;
    private final boolean isEven;

    /**
     * @param steps the distances of neighbours, spread along the axis
     * @param isEven true if all distances are equal
     */
    private Slopes(Tensor samples, int axis, Tensor steps, boolean isEven) {
        this.samples = samples;
        this.axis = axis;
        this.steps = steps;
        this.isEven = isEven;
    }

    public static List<Tensor> of(Tensor samples, double[] spacing, int edgeOrder, int... dims) {
        int[] axes = axes(samples, edgeOrder, dims);
        requireOneForEach(spacing.length, axes);
        List<Tensor> slopes = new ArrayList<>();
        for (int index = 0; index < axes.length; index++) {
            long[] sizes = Differences.spread(samples.size(axes[index]) - 1, axes[index], samples.dim())
                    .toArray();
            Tensor steps = samples.newFull(spacing[index], Numerics.resultDType(samples), sizes);
            slopes.add(new Slopes(samples, axes[index], steps, true).all(edgeOrder));
        }
        return slopes;
    }

    public static List<Tensor> of(Tensor samples, List<Tensor> places, int edgeOrder, int... dims) {
        int[] axes = axes(samples, edgeOrder, dims);
        requireOneForEach(places.size(), axes);
        List<Tensor> slopes = new ArrayList<>();
        for (int index = 0; index < axes.length; index++) {
            Shape shape = Differences.spread(samples.size(axes[index]), axes[index], samples.dim());
            Tensor steps = places.get(index).view(shape).diff(1, axes[index]);
            slopes.add(new Slopes(samples, axes[index], steps, false).all(edgeOrder));
        }
        return slopes;
    }

    private static int[] axes(Tensor samples, int edgeOrder, int... dims) {
        if (edgeOrder != 1 && edgeOrder != 2) {
            throw new OpException("gradient", "the order at the edges must be 1 or 2, got " + edgeOrder);
        }
        Axes chosen = Dims.axes("gradient", samples.shape(), dims);
        int[] axes = dims.length == 0
                ? IntStream.range(0, samples.dim()).toArray()
                : Arrays.stream(dims)
                        .map(dim -> samples.shape().normalizeDim("gradient", dim))
                        .toArray();
        for (int axis : axes) {
            if (chosen.contains(axis) && samples.size(axis) <= edgeOrder) {
                throw new OpException(
                        "gradient",
                        "dimension " + axis + " needs more than " + edgeOrder + " samples, got " + samples.shape());
            }
        }
        return axes;
    }

    private static void requireOneForEach(int spacings, int... axes) {
        if (spacings != axes.length) {
            throw new OpException(
                    "gradient",
                    "a spacing for each dimension is needed, got " + spacings + " for " + Arrays.toString(axes));
        }
    }

    private Tensor all(int edgeOrder) {
        long last = samples.size(axis) - 1;
        Tensor first = edgeOrder == 1 ? line(0) : parabola(0, 1, 2, 0);
        Tensor end = edgeOrder == 1 ? line(last - 1) : parabola(last, last - 1, last - 2, last - 2);
        return Tensors.cat(List.of(first, inner(), end), axis);
    }

    private Tensor sample(long index) {
        return samples.narrow(axis, index, 1);
    }

    private Tensor step(long index) {
        return steps.narrow(axis, index, 1);
    }

    private Tensor line(long from) {
        return sample(from + 1).sub(sample(from)).div(step(from));
    }

    /** Returns the slope at an end; the steps begin at {@code from}. */
    private Tensor parabola(long end, long next, long third, long from) {
        boolean isFirst = end < third;
        Tensor near = isFirst ? step(from) : step(from + 1).neg();
        Tensor far = isFirst ? step(from + 1) : step(from).neg();
        Tensor both = near.add(far);
        Tensor a = near.mul(2).add(far).div(near.mul(both)).neg();
        Tensor b = both.div(near.mul(far));
        Tensor c = near.div(far.mul(both)).neg();
        return a.mul(sample(end)).add(b.mul(sample(next))).add(c.mul(sample(third)));
    }

    private Tensor inner() {
        long size = samples.size(axis);
        Tensor before = Differences.head(steps, axis);
        Tensor after = Differences.tail(steps, axis);
        Tensor both = before.add(after);
        if (isEven) {
            // The middle sample is left out, because it may be infinite.
            return samples.narrow(axis, 2, size - 2)
                    .sub(samples.narrow(axis, 0, size - 2))
                    .div(both);
        }
        Tensor a = after.div(before.mul(both)).neg();
        Tensor b = after.sub(before).div(before.mul(after));
        Tensor c = before.div(after.mul(both));
        return a.mul(samples.narrow(axis, 0, size - 2))
                .add(b.mul(samples.narrow(axis, 1, size - 2)))
                .add(c.mul(samples.narrow(axis, 2, size - 2)));
    }
}
