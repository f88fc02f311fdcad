package dev.outpost.types;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a tensor's elements in a flat storage: element {@code (i, j, …)} is at {@code offset + i * stride(0) + j * stride(1)
 * + …}, all counted in elements. Strides are never negative.
 */
public final class Layout {
    private final Shape shape;
    private final long[] strides;
    private final long offset;

    Layout(Shape shape, long[] strides, long offset) {
        this.shape = shape;
        this.strides = strides;
        this.offset = offset;
    }

    /** Returns the row-major layout from offset 0. */
    public static Layout contiguous(Shape shape) {
        return shape.contiguous();
    }

    public static Layout of(Shape shape, long[] strides, long offset) {
        if (strides.length != shape.rank()) {
            throw new OpException(
                    "as_strided",
                    "as many strides as sizes are needed, got " + shape + " and " + Arrays.toString(strides));
        }
        for (long stride : strides) {
            if (stride < 0) {
                throw new OpException("as_strided", "strides must not be negative, got " + Arrays.toString(strides));
            }
        }
        if (offset < 0) {
            throw new OpException("as_strided", "the offset must not be negative, got " + offset);
        }
        Layout layout = new Layout(shape, strides.clone(), offset);
        layout.requireCountableExtent();
        return layout;
    }

    /**
     * Fails if the extent exceeds a long, which is possible for a received layout. A layout made from other layouts lies within them.
     */
    private void requireCountableExtent() {
        try {
            end();
        } catch (ArithmeticException ignored) {
            throw new OpException("as_strided", "the extent overflows, got " + this);
        }
    }

    public Shape shape() {
        return shape;
    }

    public int rank() {
        return shape.rank();
    }

    public long stride(int dim) {
        return strides[dim];
    }

    public long[] strides() {
        return strides.clone();
    }

    public long offset() {
        return offset;
    }

    /** Returns true if the elements lie row-major and without gaps, from any offset. */
    public boolean isContiguous() {
        return this == shape.contiguous() || isRowMajor();
    }

    private boolean isRowMajor() {
        long expected = 1;
        for (int dim = rank() - 1; dim >= 0; dim--) {
            if (shape.size(dim) != 1 && strides[dim] != expected) {
                return shape.isEmpty();
            }
            expected *= Math.max(shape.size(dim), 1);
        }
        return true;
    }

    /** Returns true if this is the contiguous layout of a whole storage of that many elements. */
    public boolean covers(long storageElements) {
        return offset == 0 && shape.elements() == storageElements && isContiguous();
    }

    /** Returns the position after the last storage element; the offset if there are no elements. */
    public long end() {
        if (shape.isEmpty()) {
            return offset;
        }
        long last = offset;
        for (int dim = 0; dim < rank(); dim++) {
            last = Math.addExact(last, Math.multiplyExact(shape.size(dim) - 1, strides[dim]));
        }
        return Math.addExact(last, 1);
    }

    /**
     * Returns true if different indices never share a storage element. Conservative like PyTorch's test: dimensions sorted by stride
     * must nest.
     */
    public boolean isInjective() {
        if (shape.elements() <= 1) {
            return true;
        }
        Integer[] order = dimsByStride();
        long reach = 0;
        for (int dim : order) {
            if (shape.size(dim) == 1) {
                continue;
            }
            if (strides[dim] <= reach) {
                return false;
            }
            reach += strides[dim] * (shape.size(dim) - 1);
        }
        return true;
    }

    /** Dimensions from the smallest stride to the largest. */
    private Integer[] dimsByStride() {
        Integer[] order = new Integer[rank()];
        Arrays.setAll(order, dim -> dim);
        Arrays.sort(order, (a, b) -> Long.compare(strides[a], strides[b]));
        return order;
    }

    public Layout permute(int... dims) {
        long[] newSizes = new long[dims.length];
        long[] newStrides = new long[dims.length];
        for (int dim = 0; dim < dims.length; dim++) {
            newSizes[dim] = shape.size(dims[dim]);
            newStrides[dim] = strides[dims[dim]];
        }
        return new Layout(Shape.of(newSizes), newStrides, offset);
    }

    public Layout transpose(int first, int second) {
        int[] dims = new int[rank()];
        Arrays.setAll(dims, dim -> dim == first ? second : dim == second ? first : dim);
        return permute(dims);
    }

    /** Selects {@code length} elements {@code start, start + step, …} of a dimension. */
    public Layout slice(int dim, long start, long length, long step) {
        long[] newSizes = shape.toArray();
        long[] newStrides = strides.clone();
        newSizes[dim] = length;
        newStrides[dim] = Math.multiplyExact(strides[dim], step);
        long newOffset = length == 0 ? offset : offset + start * strides[dim];
        return new Layout(Shape.of(newSizes), newStrides, newOffset);
    }

    /** Selects one index of a dimension, and removes the dimension. */
    public Layout select(int dim, long index) {
        return new Layout(
                Shape.of(without(shape.toArray(), dim)), without(strides, dim), offset + index * strides[dim]);
    }

    public Layout unsqueeze(int dim) {
        long stride = dim < rank() ? shape.size(dim) * strides[dim] : 1;
        return new Layout(Shape.of(with(shape.toArray(), dim, 1)), with(strides, dim, stride), offset);
    }

    public Layout squeeze(int dim) {
        return shape.size(dim) == 1 ? select(dim, 0) : this;
    }

    /** Broadcasts the layout to the target shape. Repeated and new dimensions get stride 0. */
    public Layout expand(Shape target) {
        if (shape.equals(target)) {
            return this;
        }
        if (!shape.broadcastsTo(target)) {
            throw new OpException("expand", "the shape does not broadcast, got " + shape + " and " + target);
        }
        long[] newStrides = new long[target.rank()];
        int added = target.rank() - rank();
        for (int dim = 0; dim < rank(); dim++) {
            boolean repeated = shape.size(dim) == 1 && target.size(dim + added) != 1;
            newStrides[dim + added] = repeated ? 0 : strides[dim];
        }
        return new Layout(target, newStrides, offset);
    }

    /**
     * Returns a layout of the same elements in the same order with another shape, or null if no strides can express it and a copy is
     * needed. The number of elements must be equal.
     */
    public @Nullable Layout viewAs(Shape target) {
        if (shape.isEmpty() || isContiguous()) {
            return offset == 0 ? target.contiguous() : new Layout(target, target.contiguousStrides(), offset);
        }
        long[] newStrides = new long[target.rank()];
        int targetDim = target.rank() - 1;
        long chunkElements = 1;
        long viewElements = 1;
        long chunkStride = strides[rank() - 1];
        for (int dim = rank() - 1; dim >= 0; dim--) {
            chunkElements *= shape.size(dim);
            if (!endsChunk(dim, chunkElements, chunkStride)) {
                continue;
            }
            while (targetDim >= 0 && (viewElements < chunkElements || target.size(targetDim) == 1)) {
                newStrides[targetDim] = viewElements * chunkStride;
                viewElements *= target.size(targetDim);
                targetDim--;
            }
            if (viewElements != chunkElements) {
                return null;
            }
            if (dim > 0) {
                chunkStride = strides[dim - 1];
                chunkElements = 1;
                viewElements = 1;
            }
        }
        return targetDim == -1 ? new Layout(target, newStrides, offset) : null;
    }

    /**
     * Returns true if a run of dimensions without gaps ends here, because the next outer one does not continue it.
     */
    private boolean endsChunk(int dim, long chunkElements, long chunkStride) {
        return dim == 0 || (shape.size(dim - 1) != 1 && strides[dim - 1] != chunkElements * chunkStride);
    }

    private static long[] without(long[] values, int index) {
        long[] result = new long[values.length - 1];
        System.arraycopy(values, 0, result, 0, index);
        System.arraycopy(values, index + 1, result, index, result.length - index);
        return result;
    }

    private static long[] with(long[] values, int index, long value) {
        long[] result = new long[values.length + 1];
        System.arraycopy(values, 0, result, 0, index);
        result[index] = value;
        System.arraycopy(values, index, result, index + 1, values.length - index);
        return result;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Layout layout
                        && offset == layout.offset
                        && shape.equals(layout.shape)
                        && Arrays.equals(strides, layout.strides);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * shape.hashCode() + Arrays.hashCode(strides)) + Long.hashCode(offset);
    }

    @Override
    public String toString() {
        return shape + " strides " + Arrays.toString(strides) + " offset " + offset;
    }
}
