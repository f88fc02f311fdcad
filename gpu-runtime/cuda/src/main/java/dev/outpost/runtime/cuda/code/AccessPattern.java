package dev.outpost.runtime.cuda.code;

import java.util.List;

/**
 * How a map's kernel goes through its arrays.
 *
 * @param rank how many dimensions are left once those that continue each other are one; at least 1
 * @param lanes how many neighbouring elements a thread takes; with more than one dimension, a divisor of the innermost
 * @param wide whether elements are numbered by 64 bits
 * @param accesses how each array is met, the results first
 */
public record AccessPattern(int rank, int lanes, boolean wide, List<Access> accesses) {

    /** How an array is met along the innermost dimension. */
    public enum Access {
        /** Neighbours in memory, which are read or written at once where a thread takes several. */
        RUN,
        /** The same element again and again. */
        SAME,
        /** One by one, at a distance. */
        STEP;

        public static Access of(long stride) {
            return stride == 1 ? RUN : stride == 0 ? SAME : STEP;
        }
    }
}
