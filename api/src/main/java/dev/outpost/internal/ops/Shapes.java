package dev.outpost.internal.ops;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Interprets sizes and dimensions given by users: -1, negative dimensions, orders. */
public final class Shapes {
    private Shapes() {}

    /** Returns the requested shape. Replaces -1 by the size that follows from the number of elements. */
    public static Shape infer(String op, Shape from, long... sizes) {
        long[] result = ArgumentChecks.required(sizes, "the shape").clone();
        int open = openDim(op, sizes);
        if (open >= 0) {
            result[open] = 1;
            result[open] = inferred(op, from, Shape.of(result).elements(), sizes);
        }
        return Shape.of(result);
    }

    private static int openDim(String op, long[] sizes) {
        int open = -1;
        for (int dim = 0; dim < sizes.length; dim++) {
            if (sizes[dim] < -1) {
                throw new OpException(op, "sizes must not be negative, got " + Arrays.toString(sizes));
            }
            if (sizes[dim] == -1 && open >= 0) {
                throw new OpException(op, "only one size can be -1, got " + Arrays.toString(sizes));
            }
            open = sizes[dim] == -1 ? dim : open;
        }
        return open;
    }

    private static long inferred(String op, Shape from, long others, long[] sizes) {
        if (others == 0) {
            throw new OpException(op, "-1 can be any size beside 0, got " + Arrays.toString(sizes));
        }
        if (from.elements() % others != 0) {
            throw misfit(op, from, Arrays.toString(sizes));
        }
        return from.elements() / others;
    }

    private static OpException misfit(String op, Shape from, String sizes) {
        return new OpException(op, from + " has " + from.elements() + " elements, which do not fit " + sizes);
    }

    /** Like {@link Layout#viewAs}, but for a shape that may not fit. */
    public static Layout viewAs(String op, Layout layout, Shape target) {
        if (layout.shape().elements()
                != ArgumentChecks.required(target, "the shape").elements()) {
            throw misfit(op, layout.shape(), target.toString());
        }
        return layout.viewAs(target);
    }

    public static Shape flatten(Shape shape, int startDim, int endDim) {
        int start = shape.normalizeDim("flatten", startDim);
        int end = shape.normalizeDim("flatten", endDim);
        if (start > end) {
            throw new OpException(
                    "flatten", "the first dimension must not come after the last, got " + startDim + " and " + endDim);
        }
        if (shape.rank() == 0) {
            return Shape.of(1);
        }
        long product = 1;
        for (int dim = start; dim <= end; dim++) {
            product *= shape.size(dim);
        }
        return replaced(shape, start, end + 1, product);
    }

    public static Shape unflatten(Shape shape, int dim, long... sizes) {
        int at = dim("unflatten", shape, dim);
        Shape inner = infer("unflatten", Shape.of(shape.size(at)), sizes);
        if (inner.elements() != shape.size(at)) {
            throw misfit("unflatten", Shape.of(shape.size(at)), inner.toString());
        }
        return replaced(shape, at, at + 1, inner.toArray());
    }

    /** Replaces the sizes of the dimensions {@code start} to {@code end} (excluded) by others. */
    public static Shape replaced(Shape shape, int start, int end, long... sizes) {
        long[] old = shape.toArray();
        long[] result = new long[old.length - (end - start) + sizes.length];
        System.arraycopy(old, 0, result, 0, start);
        System.arraycopy(sizes, 0, result, start, sizes.length);
        System.arraycopy(old, end, result, start + sizes.length, old.length - end);
        return Shape.of(result);
    }

    /** Normalizes a dimension. Throws for a scalar. */
    public static int dim(String op, Shape shape, int dim) {
        if (shape.rank() == 0) {
            throw new OpException(op, "a scalar has no dimensions, got dimension " + dim);
        }
        return shape.normalizeDim(op, dim);
    }

    public static int[] dims(String op, Shape shape, int... dims) {
        return Arrays.stream(dims).map(dim -> shape.normalizeDim(op, dim)).toArray();
    }

    public static int[] permutation(String op, int rank, int... dims) {
        BitSet seen = new BitSet();
        int[] result = new int[ArgumentChecks.required(dims, "the dimensions").length];
        for (int index = 0; index < dims.length; index++) {
            result[index] = Shape.normalizeDim(op, dims[index], rank);
            seen.set(result[index]);
        }
        if (dims.length != rank || seen.cardinality() != rank) {
            throw new OpException(
                    op, "each of " + rank + " dimensions must be named once, got " + Arrays.toString(dims));
        }
        return result;
    }

    public static int[] moved(int rank, int[] sources, int[] destinations) {
        int[] from = normalized("movedim", rank, sources);
        int[] to = normalized("movedim", rank, destinations);
        if (from.length != to.length || isRepeating(from) || isRepeating(to)) {
            throw new OpException(
                    "movedim",
                    "as many different sources as destinations are needed, got " + Arrays.toString(sources) + " and "
                            + Arrays.toString(destinations));
        }
        List<Integer> order = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
        Arrays.stream(from).forEach(dim -> order.remove(Integer.valueOf(dim)));
        IntStream.range(0, to.length)
                .boxed()
                .sorted(Comparator.comparing(index -> to[index]))
                .forEach(index -> order.add(to[index], from[index]));
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int[] normalized(String op, int rank, int... dims) {
        return Arrays.stream(dims).map(dim -> Shape.normalizeDim(op, dim, rank)).toArray();
    }

    private static boolean isRepeating(int... dims) {
        return Arrays.stream(dims).distinct().count() < dims.length;
    }

    public static Layout squeeze(Layout layout, int... dims) {
        BitSet chosen = new BitSet();
        Arrays.stream(dims("squeeze", layout.shape(), dims)).forEach(chosen::set);
        Layout result = layout;
        for (int dim = layout.rank() - 1; dim >= 0; dim--) {
            result = chosen.get(dim) ? result.squeeze(dim) : result;
        }
        return result;
    }

    public static Shape expanded(Shape shape, long... sizes) {
        long[] result = sizes.clone();
        int added = sizes.length - shape.rank();
        for (int dim = 0; dim < sizes.length; dim++) {
            if (sizes[dim] == -1 && dim < added) {
                throw new OpException(
                        "expand", "-1 is not for a new dimension, got " + Arrays.toString(sizes) + " for " + shape);
            }
            result[dim] = sizes[dim] == -1 ? shape.size(dim - added) : sizes[dim];
        }
        return Shape.of(result);
    }
}
