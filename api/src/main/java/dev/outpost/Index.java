package dev.outpost;

import org.jspecify.annotations.Nullable;

/**
 * One part of an indexing expression, as in Python's brackets: {@code x.get(Index.all(), Index.at(-1))}.
 *
 * <p>Immutable.
 */
public sealed interface Index {

    /** One index. It removes the dimension. */
    record At(long index) implements Index {}

    /**
     * Python's {@code start:end:step}.
     *
     * @param start the first index, or null for the beginning
     * @param end the index after the last one, or null for the end
     * @param step positive
     */
    record Slice(@Nullable Long start, @Nullable Long end, long step) implements Index {}

    /** The elements that an index tensor chooses in one dimension, or that a mask chooses in as many dimensions as the mask has. */
    record Chosen(Tensor indices) implements Index {}

    /** Parts without an argument. */
    enum Mark implements Index {
        /** All dimensions that no other part of the expression indexes, each whole. */
        ELLIPSIS,
        /** A new dimension of size 1. */
        NEW_AXIS
    }

    /** Returns one index, counted from the back if negative. It removes the dimension. */
    static Index at(long index) {
        return new At(index);
    }

    /** Returns the slice {@code start:end}. Null stands for a bound that Python would leave out. */
    static Index slice(@Nullable Long start, @Nullable Long end) {
        return new Slice(start, end, 1);
    }

    /** Returns the slice {@code start:end}. */
    static Index slice(long start, long end) {
        return new Slice(start, end, 1);
    }

    /**
     * Returns the slice {@code start:end}. A null end stands for a bound that Python would leave out, as in {@code
     * slice(2, null)}.
     */
    static Index slice(long start, @Nullable Long end) {
        return new Slice(start, end, 1);
    }

    /**
     * Returns the slice {@code start:end}. A null start stands for a bound that Python would leave out, as in {@code
     * slice(null, -1)}.
     */
    static Index slice(@Nullable Long start, long end) {
        return new Slice(start, end, 1);
    }

    /** Returns the slice {@code start:}, from an index to the end. */
    static Index from(long start) {
        return new Slice(start, null, 1);
    }

    /**
     * Returns the slice {@code start:end:step} with a positive step. Null stands for a bound that Python would leave
     * out.
     */
    static Index slice(@Nullable Long start, @Nullable Long end, long step) {
        return new Slice(start, end, step);
    }

    /** Returns the slice {@code start:end:step}; the step must be positive. */
    static Index slice(long start, long end, long step) {
        return new Slice(start, end, step);
    }

    /**
     * Returns the slice {@code start:end:step} with a positive step. A null end stands for a bound that Python would
     * leave out.
     */
    static Index slice(long start, @Nullable Long end, long step) {
        return new Slice(start, end, step);
    }

    /**
     * Returns the slice {@code start:end:step} with a positive step. A null start stands for a bound that Python
     * would leave out.
     */
    static Index slice(@Nullable Long start, long end, long step) {
        return new Slice(start, end, step);
    }

    /** Returns {@code :}, a whole dimension. */
    static Index all() {
        return new Slice(null, null, 1);
    }

    /** Returns {@code ...}, all dimensions that no other part of the expression indexes. */
    static Index ellipsis() {
        return Mark.ELLIPSIS;
    }

    /** Returns {@code None}, a new dimension of size 1. */
    static Index newAxis() {
        return Mark.NEW_AXIS;
    }

    /** Returns an index tensor. Negative indices count from the back. A tensor of bool or uint8 is a mask. */
    static Index of(Tensor indices) {
        return new Chosen(indices);
    }
}
