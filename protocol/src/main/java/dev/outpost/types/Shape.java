package dev.outpost.types;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sizes of a tensor's dimensions: immutable, each at least 0, their product within a long. */
public final class Shape {
    /** The maximum number of dimensions; a bound for received shapes. */
    public static final int MAX_RANK = 64;

    public static final Shape SCALAR = new Shape(new long[0], 1);

    private final long[] sizes;
    private final long elements;
    /** Computed on demand. Threads may race to set it. Their results are equal. */
    private @Nullable Layout contiguous;

    private Shape(long[] sizes, long elements) {
        this.sizes = sizes;
        this.elements = elements;
    }

    public static Shape of(long... sizes) {
        return sizes.length == 0 ? SCALAR : new Shape(sizes.clone(), checkedElements(sizes));
    }

    public int rank() {
        return sizes.length;
    }

    /** Returns the size of a dimension, {@code 0 <= dim < rank}. */
    public long size(int dim) {
        return sizes[dim];
    }

    /** Returns the product of all sizes; 1 for a scalar. */
    public long elements() {
        return elements;
    }

    public boolean isEmpty() {
        return elements == 0;
    }

    public long[] toArray() {
        return sizes.clone();
    }

    /** Returns the row-major layout from offset 0, cached because most tensors have it. */
    Layout contiguous() {
        Layout known = contiguous;
        if (known == null) {
            known = new Layout(this, contiguousStrides(), 0);
            contiguous = known;
        }
        return known;
    }

    /** Returns the strides, in elements, of a row-major tensor of this shape. */
    public long[] contiguousStrides() {
        long[] strides = new long[sizes.length];
        long stride = 1;
        for (int dim = sizes.length - 1; dim >= 0; dim--) {
            strides[dim] = stride;
            stride *= Math.max(sizes[dim], 1);
        }
        return strides;
    }

    /**
     * Converts the number of a dimension, which counts from the back if it is negative, to one that counts from the
     * front.
     */
    public int normalizeDim(String op, int dim) {
        return normalizeDim(op, dim, sizes.length);
    }

    /** Does the same as {@link #normalizeDim(String, int)} for a tensor of the given rank; a scalar accepts 0 and -1. */
    public static int normalizeDim(String op, int dim, int rank) {
        int range = Math.max(rank, 1);
        if (dim < -range || dim >= range) {
            throw new OpException(
                    op, "dimension out of range, expected " + -range + " to " + (range - 1) + ", got " + dim);
        }
        return dim < 0 ? dim + range : dim;
    }

    /** Returns the shape that both broadcast to, by PyTorch's rules. */
    public static Shape broadcast(String op, Shape left, Shape right) {
        if (left.equals(right)) {
            return left;
        }
        int rank = Math.max(left.rank(), right.rank());
        long[] sizes = new long[rank];
        for (int fromEnd = 1; fromEnd <= rank; fromEnd++) {
            long a = left.sizeFromEnd(fromEnd);
            long b = right.sizeFromEnd(fromEnd);
            if (a != b && a != 1 && b != 1) {
                throw new OpException(op, "shapes do not broadcast, got " + left + " and " + right);
            }
            sizes[rank - fromEnd] = a == 1 ? b : a;
        }
        return of(sizes);
    }

    /** Returns true if a tensor of this shape broadcasts to exactly {@code target}. */
    public boolean broadcastsTo(Shape target) {
        if (rank() > target.rank()) {
            return false;
        }
        for (int fromEnd = 1; fromEnd <= rank(); fromEnd++) {
            long size = sizeFromEnd(fromEnd);
            if (size != 1 && size != target.sizeFromEnd(fromEnd)) {
                return false;
            }
        }
        return true;
    }

    private long sizeFromEnd(int fromEnd) {
        return fromEnd > sizes.length ? 1 : sizes[sizes.length - fromEnd];
    }

    private static long checkedElements(long[] sizes) {
        if (sizes.length > MAX_RANK) {
            throw new OpException("shape", "at most " + MAX_RANK + " dimensions, got " + sizes.length);
        }
        long product = 1;
        boolean empty = false;
        for (long size : sizes) {
            if (size < 0) {
                throw new OpException("shape", "sizes must not be negative, got " + Arrays.toString(sizes));
            }
            empty |= size == 0;
        }
        for (long size : sizes) {
            try {
                product = Math.multiplyExact(product, Math.max(size, 1));
            } catch (ArithmeticException ignored) {
                throw new OpException("shape", "the number of elements overflows, got " + Arrays.toString(sizes));
            }
        }
        return empty ? 0 : product;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Shape shape && Arrays.equals(sizes, shape.sizes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sizes);
    }

    /** Formats the sizes as PyTorch does: {@code [2, 3]}. */
    @Override
    public String toString() {
        return Arrays.toString(sizes);
    }
}
