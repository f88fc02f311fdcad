package dev.outpost.internal.ops;

import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Layouts of parts of a tensor, with checks of users' arguments. */
public final class SliceLayouts {
    private SliceLayouts() {}

    public static Layout select(Layout layout, int dim, long index) {
        int at = Shapes.dim("select", layout.shape(), dim);
        long size = layout.shape().size(at);
        if (index < -size || index >= size) {
            throw new OpException(
                    "select", "index " + index + " is out of range for dimension " + at + " of size " + size);
        }
        return layout.select(at, index < 0 ? index + size : index);
    }

    public static Layout narrow(Layout layout, int dim, long start, long length) {
        int at = Shapes.dim("narrow", layout.shape(), dim);
        long size = layout.shape().size(at);
        long first = start < 0 ? start + size : start;
        if (first < 0 || first > size || length < 0 || length > size - first) {
            throw new OpException(
                    "narrow",
                    "start " + start + " and length " + length + " reach beyond dimension " + at + " of size " + size);
        }
        return layout.slice(at, first, length, 1);
    }

    public static Layout slice(Layout layout, int dim, long start, long end, long step) {
        int at = Shapes.dim("slice", layout.shape(), dim);
        if (step <= 0) {
            throw new OpException("slice", "the step must be positive, got " + step);
        }
        long size = layout.shape().size(at);
        long first = clamp(start, size);
        long span = Math.max(clamp(end, size) - first, 0);
        long length = span / step + (span % step == 0 ? 0 : 1);
        return layout.slice(at, first, length, length > 1 ? step : 1);
    }

    private static long clamp(long bound, long size) {
        long fromFront = bound < 0 ? bound + size : bound;
        return Math.clamp(fromFront, 0, size);
    }

    /** Returns the layout of windows. A scalar counts as a vector of one element, as in PyTorch. */
    public static Layout unfold(Layout layout, int dim, long size, long step) {
        return layout.rank() > 0
                ? unfoldLine(layout, dim, size, step)
                : unfoldLine(layout.unsqueeze(0), dim, size, step).select(0, 0);
    }

    private static Layout unfoldLine(Layout layout, int dim, long size, long step) {
        int at = Shapes.dim("unfold", layout.shape(), dim);
        long available = layout.shape().size(at);
        if (size < 0 || size > available) {
            throw new OpException(
                    "unfold", "windows of " + size + " do not fit dimension " + at + " of size " + available);
        }
        if (step <= 0) {
            throw new OpException("unfold", "the step must be positive, got " + step);
        }
        long[] sizes = Arrays.copyOf(layout.shape().toArray(), layout.rank() + 1);
        long[] strides = Arrays.copyOf(layout.strides(), layout.rank() + 1);
        sizes[at] = (available - size) / step + 1;
        sizes[layout.rank()] = size;
        strides[layout.rank()] = strides[at];
        strides[at] = Math.multiplyExact(strides[at], step);
        return Layout.of(Shape.of(sizes), strides, layout.offset());
    }

    public static Layout diagonal(Layout layout, long offset, int dim1, int dim2) {
        requireRank("diagonal", layout.shape(), 2);
        int row = layout.shape().normalizeDim("diagonal", dim1);
        int column = layout.shape().normalizeDim("diagonal", dim2);
        requireDistinct("diagonal", row, column, dim1, dim2);
        long down = Math.max(-offset, 0);
        long right = Math.max(offset, 0);
        long length = Math.min(layout.shape().size(row) - down, layout.shape().size(column) - right);
        long start = length > 0 ? down * layout.stride(row) + right * layout.stride(column) : 0;
        Layout rest = layout.select(Math.max(row, column), 0).select(Math.min(row, column), 0);
        return with(rest, Math.max(length, 0), layout.stride(row) + layout.stride(column), start);
    }

    /** Returns a layout with an additional last dimension. */
    private static Layout with(Layout layout, long size, long stride, long start) {
        long[] sizes = Arrays.copyOf(layout.shape().toArray(), layout.rank() + 1);
        long[] strides = Arrays.copyOf(layout.strides(), layout.rank() + 1);
        sizes[layout.rank()] = size;
        strides[layout.rank()] = stride;
        return Layout.of(Shape.of(sizes), strides, layout.offset() + start);
    }

    public static void requireDistinct(String op, int first, int second, int saidFirst, int saidSecond) {
        if (first == second) {
            throw new OpException(op, "two dimensions must differ, got " + saidFirst + " and " + saidSecond);
        }
    }

    public static void requireRank(String op, Shape shape, int rank) {
        if (shape.rank() < rank) {
            throw new OpException(op, "at least " + rank + " dimensions are needed, got " + shape);
        }
    }

    private static <T extends TensorState> T part(T tensor, int dim, long start, long length) {
        return States.view(tensor, narrow(States.layout(tensor), dim, start, length));
    }

    private static <T extends TensorState> T sliced(T tensor, int dim, long start, long end) {
        return States.view(tensor, slice(States.layout(tensor), dim, start, end, 1));
    }

    public static <T extends TensorState> List<T> split(T tensor, long size, int dim) {
        int at = Shapes.dim("split", tensor.shape(), dim);
        long total = tensor.shape().size(at);
        if (size < 0 || size == 0 && total > 0) {
            throw new OpException("split", "the size must be positive, got " + size);
        }
        List<T> pieces = new ArrayList<>();
        for (long start = 0; start < total || pieces.isEmpty(); start += size) {
            pieces.add(part(tensor, at, start, Math.min(size, total - start)));
        }
        return List.copyOf(pieces);
    }

    public static <T extends TensorState> List<T> split(T tensor, long[] sizes, int dim) {
        int at = Shapes.dim("split", tensor.shape(), dim);
        if (Arrays.stream(sizes).sum() != tensor.shape().size(at)) {
            throw new OpException(
                    "split",
                    "the sizes must add up to " + tensor.shape().size(at) + ", the size of dimension " + at + ", got "
                            + Arrays.toString(sizes));
        }
        List<T> pieces = new ArrayList<>();
        long start = 0;
        for (long size : sizes) {
            pieces.add(part(tensor, at, start, size));
            start += size;
        }
        return List.copyOf(pieces);
    }

    public static <T extends TensorState> List<T> chunk(T tensor, int chunks, int dim) {
        requireSections("chunk", chunks);
        long total = tensor.shape().size(Shapes.dim("chunk", tensor.shape(), dim));
        return total == 0
                ? split(tensor, new long[chunks], dim)
                : split(tensor, Math.ceilDiv(total, (long) chunks), dim);
    }

    public static <T extends TensorState> List<T> tensorSplit(T tensor, int sections, int dim) {
        requireSections("tensor_split", sections);
        long total = tensor.shape().size(Shapes.dim("tensor_split", tensor.shape(), dim));
        long[] sizes = new long[sections];
        Arrays.fill(sizes, total / sections);
        for (int section = 0; section < total % sections; section++) {
            sizes[section]++;
        }
        return split(tensor, sizes, dim);
    }

    private static void requireSections(String op, int sections) {
        if (sections <= 0) {
            throw new OpException(op, "the number of pieces must be positive, got " + sections);
        }
    }

    public static <T extends TensorState> List<T> tensorSplit(T tensor, long[] indices, int dim) {
        int at = Shapes.dim("tensor_split", tensor.shape(), dim);
        List<T> pieces = new ArrayList<>();
        long start = 0;
        for (long end : indices) {
            pieces.add(sliced(tensor, at, start, end));
            start = end;
        }
        pieces.add(sliced(tensor, at, start, Long.MAX_VALUE));
        return List.copyOf(pieces);
    }

    public static <T extends TensorState> List<T> evenSplit(String op, T tensor, int sections, int dim) {
        requireSections(op, sections);
        long size = tensor.shape().size(Shapes.dim(op, tensor.shape(), dim));
        if (size % sections != 0) {
            throw new OpException(op, "a size of " + size + " does not divide into " + sections + " pieces");
        }
        return tensorSplit(tensor, sections, dim);
    }
}
