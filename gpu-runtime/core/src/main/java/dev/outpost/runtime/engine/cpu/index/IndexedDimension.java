package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.protocol.op.IndexNames;
import dev.outpost.protocol.op.Op;

/**
 * The dimension to whose elements an index refers.
 *
 * @param op the op with the index
 * @param axis the number of the dimension
 * @param size the number of its elements
 * @param stride the distance between its elements
 */
record IndexedDimension(Op op, int axis, int size, int stride) {

    /** Returns the offset of an index within the dimension. Throws a user fault if the index is out of bounds. */
    int place(long index) {
        if (index < 0 || index >= size) {
            throw IndexNames.refusal(op, index, axis, size);
        }
        return (int) index * stride;
    }
}
