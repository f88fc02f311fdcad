package dev.outpost.runtime.session;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/**
 * Sums and products of matrices, recorded as one op for each term: each is rounded, as float32 does it. {@code reference} itself adds
 * up in double.
 */
final class TermByTerm {
    private final SegmentBuilder segments;
    private long next;

    /** @param free an id from which on none is taken */
    TermByTerm(SegmentBuilder segments, long free) {
        this.segments = segments;
        this.next = free;
    }

    /** A value is the sum of the columns of another, which is a matrix. */
    void sum(long id, long matrix, Shape shape) {
        int columns = (int) shape.size(1);
        long sum = slice(matrix, shape, 1, 0);
        for (int column = 1; column < columns; column++) {
            sum = join(Binary.ADD, column == columns - 1 ? id : next++, sum, slice(matrix, shape, 1, column));
        }
    }

    /** A value is the product of two others, which are matrices or batches of them. */
    void product(long id, long left, Shape leftShape, long right, Shape rightShape) {
        int across = leftShape.rank() - 1;
        int terms = (int) leftShape.size(across);
        long sum = 0;
        for (int term = 0; term < terms; term++) {
            long column = slice(left, leftShape, across, term);
            long row = slice(right, rightShape, across - 1, term);
            long product = join(Binary.MUL, next++, column, row);
            sum = term == 0 ? product : join(Binary.ADD, term == terms - 1 ? id : next++, sum, product);
        }
    }

    private long join(Binary op, long id, long left, long right) {
        segments.add(op, id, left, right);
        return id;
    }

    private long slice(long value, Shape shape, int dim, int at) {
        long id = next++;
        segments.add(new AsStrided(Layout.contiguous(shape).slice(dim, at, 1, 1)), id, value);
        return id;
    }
}
