package dev.outpost.runtime.memory;

import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/** Walks a layout's elements in row-major order: where in the buffer each lies. Not thread-safe. */
public final class Cursor {
    private final Shape shape;
    private final long[] strides;
    private final long[] index;
    private long position;

    public Cursor(Layout layout) {
        this(layout, 0);
    }

    /** Begins at an element in the middle, by its row-major number. */
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

    /** Where the element under the cursor lies, as Java arrays count; the cursor moves on. */
    public int next() {
        int here = (int) position;
        advance();
        return here;
    }

    /** The index, in one dimension, of the element under the cursor. */
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
