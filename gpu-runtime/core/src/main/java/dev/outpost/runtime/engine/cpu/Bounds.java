package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.op.Op;

/**
 * The dimension that an index points into.
 *
 * @param op whose index it is
 * @param axis which dimension
 * @param size how many elements it has
 * @param stride how far they lie apart
 */
record Bounds(Op op, int axis, int size, int stride) {

    /** How far into the dimension an index points, or a user fault. */
    int place(long index) {
        if (index < 0 || index >= size) {
            throw new OpException(
                    op.label(), "index " + index + " is out of bounds for dimension " + axis + " with size " + size);
        }
        return (int) index * stride;
    }
}
