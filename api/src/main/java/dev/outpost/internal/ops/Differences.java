package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.ops.DifferenceOps;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/** The implementation of {@link DifferenceOps}. */
public final class Differences {
    private Differences() {}

    public static Tensor joined(Tensor before, Tensor middle, Tensor after, int dim) {
        return before == null && after == null
                ? middle
                : Tensors.cat(
                        Stream.of(before, middle, after)
                                .filter(Objects::nonNull)
                                .toList(),
                        dim);
    }

    public static Tensor diff(Tensor tensor, int order, int dim) {
        int axis = Shapes.dim("diff", tensor.shape(), dim);
        if (order < 0) {
            throw new OpException("diff", "the order must not be negative, got " + order);
        }
        Tensor result = tensor;
        for (int times = 0; times < order && result.size(axis) > 0; times++) {
            result = step(result, axis);
        }
        return order == 0 ? tensor.clone() : result;
    }

    private static Tensor step(Tensor tensor, int axis) {
        Tensor right = tail(tensor, axis);
        Tensor left = head(tensor, axis);
        return tensor.dtype() == DType.BOOL ? right.logicalXor(left) : right.sub(left);
    }

    /** Returns all indices except the last. */
    public static Tensor head(Tensor tensor, int axis) {
        return tensor.narrow(axis, 0, tensor.size(axis) - 1);
    }

    /** Returns all indices except the first. */
    public static Tensor tail(Tensor tensor, int axis) {
        return tensor.narrow(axis, 1, tensor.size(axis) - 1);
    }

    /** Returns twice the areas under the lines between neighbours at distance 1. */
    public static Tensor trapezoids(Tensor tensor, int dim) {
        requireNumbers(tensor);
        int axis = Shapes.dim("trapezoid", tensor.shape(), dim);
        return tensor.size(axis) == 0 ? tensor : tail(tensor, axis).add(head(tensor, axis));
    }

    /**
     * Returns the integral of evenly spaced samples: their sum, in which both ends count half. If the sum of the two
     * ends overflows the dtype, it wraps, as in PyTorch.
     */
    public static Tensor trapezoid(Tensor samples, double distance, int dim) {
        requireNumbers(samples);
        int axis = Shapes.dim("trapezoid", samples.shape(), dim);
        if (samples.size(axis) == 0) {
            return samples.detach().sum(axis).to(samples.dtype());
        }
        Tensor ends = samples.select(axis, 0).add(samples.select(axis, -1));
        return samples.sum(axis).sub(ends.mul(0.5)).mul(distance);
    }

    /** Returns twice the areas under the lines between neighbours. */
    public static Tensor trapezoids(Tensor tensor, Tensor positions, int dim) {
        int axis = Shapes.dim("trapezoid", tensor.shape(), dim);
        Tensor spread = positions.dim() == 1 ? along(positions, tensor, axis) : positions;
        Tensor heights = trapezoids(tensor, axis);
        return tensor.size(axis) == 0
                ? heights
                : spread.diff(1, axis - tensor.dim()).mul(heights);
    }

    private static void requireNumbers(Tensor samples) {
        if (samples.dtype() == DType.BOOL) {
            throw new OpException("trapezoid", "not defined for bool, got " + samples.type());
        }
    }

    /** Returns a vector as a tensor that varies only along one dimension. */
    private static Tensor along(Tensor vector, Tensor tensor, int axis) {
        if (vector.numel() != tensor.size(axis)) {
            throw new OpException(
                    "trapezoid",
                    "a place for every sample is needed, got " + vector.shape() + " and " + tensor.shape());
        }
        return vector.view(spread(vector.numel(), axis, tensor.dim()));
    }

    /** Returns the shape of a vector along one of several dimensions. */
    public static Shape spread(long size, int axis, int rank) {
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        sizes[axis] = size;
        return Shape.of(sizes);
    }
}
