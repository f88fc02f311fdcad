package dev.outpost;

import org.jspecify.annotations.Nullable;

/** One step of an indexing expression, as between Python's brackets: {@code x.get(Index.all(), Index.at(-1))}. */
public sealed interface Index {

    /** One index; the dimension goes away. */
    record At(long index) implements Index {}

    /**
     * Python's {@code start:end:step}.
     *
     * @param start null for the beginning
     * @param end null for the end
     * @param step positive
     */
    record Slice(@Nullable Long start, @Nullable Long end, long step) implements Index {}

    /** The elements that index tensors choose; for a mask, over as many dimensions as it has. */
    record Chosen(Tensor indices) implements Index {}

    /** Steps that need no more said. */
    enum Mark implements Index {
        /** As many whole dimensions as are not spoken of. */
        ELLIPSIS,
        /** A new dimension of size 1. */
        NEW_AXIS
    }

    /** One index, counted from the back if negative; the dimension goes away. */
    static Index at(long index) {
        return new At(index);
    }

    /** {@code start:end}, either null where Python's is missing. */
    static Index slice(@Nullable Long start, @Nullable Long end) {
        return new Slice(start, end, 1);
    }

    /** {@code start:end}. */
    static Index slice(long start, long end) {
        return new Slice(start, end, 1);
    }

    /** {@code start:end}, with null for the end where Python's is missing, as in {@code slice(2, null)}. */
    static Index slice(long start, @Nullable Long end) {
        return new Slice(start, end, 1);
    }

    /** {@code start:end}, with null for the start where Python's is missing, as in {@code slice(null, -1)}. */
    static Index slice(@Nullable Long start, long end) {
        return new Slice(start, end, 1);
    }

    /** {@code start:}, from there to the end. */
    static Index from(long start) {
        return new Slice(start, null, 1);
    }

    /** {@code start:end:step}, start and end null where Python's are missing; the step is positive. */
    static Index slice(@Nullable Long start, @Nullable Long end, long step) {
        return new Slice(start, end, step);
    }

    /** {@code start:end:step}; the step is positive. */
    static Index slice(long start, long end, long step) {
        return new Slice(start, end, step);
    }

    /** {@code start:end:step}, with null for the end where Python's is missing; the step is positive. */
    static Index slice(long start, @Nullable Long end, long step) {
        return new Slice(start, end, step);
    }

    /** {@code start:end:step}, with null for the start where Python's is missing; the step is positive. */
    static Index slice(@Nullable Long start, long end, long step) {
        return new Slice(start, end, step);
    }

    /** {@code :}, a whole dimension. */
    static Index all() {
        return new Slice(null, null, 1);
    }

    /** {@code ...}, all dimensions that are not spoken of. */
    static Index ellipsis() {
        return Mark.ELLIPSIS;
    }

    /** {@code None}, a new dimension of size 1. */
    static Index newAxis() {
        return Mark.NEW_AXIS;
    }

    /** An integer tensor of indices, negative ones from the back; a tensor of bool, or of uint8, is a mask. */
    static Index of(Tensor indices) {
        return new Chosen(indices);
    }
}
