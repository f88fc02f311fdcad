package dev.outpost.runtime.session;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/**
 * Sums and products of matrices, recorded with one op per term, so that each term is rounded to float32. {@code reference} itself sums in
 * double.
 */
final class TermByTerm {
    private final SegmentBuilder segments;
    private long next;

    /** @param free an id from which on none is taken */
    TermByTerm(SegmentBuilder segments, long free) {
        this.segments = segments;
        this.next = free;
    }

    /** Records the sum of the columns of a matrix. */
    void sum(long id, long matrix, Shape shape) {
        int columns = (int) shape.size(1);
        long sum = slice(matrix, shape, 1, 0);
        for (int column = 1; column < columns; column++) {
            sum = join(Binary.ADD, column == columns - 1 ? id : next++, sum, slice(matrix, shape, 1, column));
        }
    }

    /** Records the product of two matrices or batches of matrices. */
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
