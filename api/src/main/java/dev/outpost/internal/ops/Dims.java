package dev.outpost.internal.ops;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Axes;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.function.Function;

/** Normalizes dimensions of a call: negative ones count from the back, none means all, and a scalar accepts 0 and -1. */
public final class Dims {
    /** All dimensions, as an empty list. */
    public static final int[] ALL = {};

    private Dims() {}

    public static Axes axes(String op, Shape shape, int... dims) {
        if (ArgumentChecks.required(dims, "the dimensions").length == 0) {
            return Axes.all(shape.rank());
        }
        Axes axes = Axes.of();
        for (int dim : dims) {
            int axis = shape.normalizeDim(op, dim);
            if (axes.contains(axis)) {
                throw new OpException(op, "dimension " + axis + " appears twice, got " + Arrays.toString(dims));
            }
            axes = new Axes(axes.bits() | 1L << axis);
        }
        return shape.rank() == 0 ? Axes.of() : axes;
    }

    /** Returns the number of elements that are reduced to one. */
    public static long count(Shape shape, Axes axes) {
        long count = 1;
        for (int dim = 0; dim < shape.rank(); dim++) {
            count *= axes.contains(dim) ? shape.size(dim) : 1;
        }
        return count;
    }

    /** Returns the shape after the reduction of dimensions. */
    public static Shape reduced(Shape shape, Axes axes, boolean keepDim) {
        long[] sizes = new long[shape.rank()];
        int rank = 0;
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (!axes.contains(dim)) {
                sizes[rank++] = shape.size(dim);
            } else if (keepDim) {
                sizes[rank++] = 1;
            }
        }
        return Shape.of(Arrays.copyOf(sizes, rank));
    }

    /** Returns the elements of a contiguous tensor in another shape. Closes the given handle. */
    public static <T extends TensorState> T reshaped(T temporary, Shape shape) {
        if (temporary.shape().equals(shape)) {
            return temporary;
        }
        T view = States.view(temporary, States.layout(temporary).viewAs(shape));
        temporary.close();
        return view;
    }

    /** Applies a function to a scalar as a vector of one element, and converts the result back to a scalar. */
    public static <T extends TensorState> T throughVector(T scalar, Function<T, T> function) {
        T vector = States.view(scalar, States.layout(scalar).unsqueeze(0));
        T result = function.apply(vector);
        vector.close();
        return reshaped(result, Shape.SCALAR);
    }
}
