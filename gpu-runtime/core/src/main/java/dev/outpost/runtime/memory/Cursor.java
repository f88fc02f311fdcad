package dev.outpost.runtime.memory;

import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/** Iterates over a layout's elements in row-major order, and returns their positions in the buffer. Not thread-safe. */
public final class Cursor {
    private final Shape shape;
    private final long[] strides;
    private final long[] index;
    private long position;

    public Cursor(Layout layout) {
        this(layout, 0);
    }

    /** Begins at the element with this row-major number. */
    public Cursor(Layout layout, long first) {
        shape = layout.shape();
        strides = layout.strides();
        index = new long[strides.length];
        position = layout.offset();
        long rest = first;
        for (int dim = index.length - 1; dim >= 0; dim--) {
            long size = Math.max(shape.size(dim), 1);
            index[dim] = rest % size;
            position += index[dim] * strides[dim];
            rest /= size;
        }
    }

    /** Returns the position of the current element as an index of a Java array, and moves on. */
    public int next() {
        int here = (int) position;
        advance();
        return here;
    }

    /** Returns the index of the current element in one dimension. */
    public long index(int dim) {
        return index[dim];
    }

    private void advance() {
        for (int dim = index.length - 1; dim >= 0; dim--) {
            position += strides[dim];
            if (++index[dim] < shape.size(dim)) {
                return;
            }
            position -= index[dim] * strides[dim];
            index[dim] = 0;
        }
    }
}
