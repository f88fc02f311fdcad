package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.protocol.op.IndexNames;
import dev.outpost.protocol.op.Op;

/**
 * The dimension that an index points into.
 *
 * @param op whose index it is
 * @param axis which dimension
 * @param size how many elements it has
 * @param stride how far they lie apart
 */
record IndexedDimension(Op op, int axis, int size, int stride) {

    /** How far into the dimension an index points, or a user fault. */
    int place(long index) {
        if (index < 0 || index >= size) {
            throw IndexNames.refusal(op, index, axis, size);
        }
        return (int) index * stride;
    }
}
