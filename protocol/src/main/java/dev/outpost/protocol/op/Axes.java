package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** A set of dimensions, as the bits of a long: 64 is the highest rank. */
public record Axes(long bits) {

    public static Axes of(int... dims) {
        long bits = 0;
        for (int dim : dims) {
            bits |= 1L << dim;
        }
        return new Axes(bits);
    }

    /** Returns all dimensions of a tensor of that rank. */
    public static Axes all(int rank) {
        return new Axes(rank == Shape.MAX_RANK ? -1L : (1L << rank) - 1);
    }

    public boolean contains(int dim) {
        return (bits >>> dim & 1) != 0;
    }

    public int size() {
        return Long.bitCount(bits);
    }

    void requireWithin(String op, int rank) {
        if ((bits & ~all(rank).bits) != 0) {
            throw new OpException(op, "dimension out of range, got " + this + " for rank " + rank);
        }
    }

    /** Returns the remaining shape after a reduction over these dimensions. */
    Shape reduce(Shape shape, boolean keepDims) {
        long[] sizes = new long[keepDims ? shape.rank() : shape.rank() - size()];
        int next = 0;
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (!contains(dim)) {
                sizes[next++] = shape.size(dim);
            } else if (keepDims) {
                sizes[next++] = 1;
            }
        }
        return Shape.of(sizes);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int dim = 0; dim < Shape.MAX_RANK; dim++) {
            if (contains(dim)) {
                text.append(text.length() > 1 ? ", " : "").append(dim);
            }
        }
        return text.append(']').toString();
    }
}
