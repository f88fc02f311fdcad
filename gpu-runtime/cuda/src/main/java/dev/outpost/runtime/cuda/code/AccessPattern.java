package dev.outpost.runtime.cuda.code;

import java.util.List;

/**
 * The pattern by which a map's kernel walks its arrays.
 *
 * @param rank the number of dimensions, at least 1; adjacent dimensions that can be walked as one are joined
 * @param lanes the number of neighbouring elements of a thread; with more than one dimension, a divisor of the innermost one
 * @param wide true if the numbers of elements need 64 bits
 * @param accesses the access of each array, the results first
 */
public record AccessPattern(int rank, int lanes, boolean wide, List<Access> accesses) {

    /** The access of an array along the innermost dimension. */
    public enum Access {
        /** Consecutive elements, which a thread with several of them reads or writes at once. */
        RUN,
        /** The same element throughout. */
        SAME,
        /** Single elements at a distance. */
        STEP;

        public static Access of(long stride) {
            return stride == 1 ? RUN : stride == 0 ? SAME : STEP;
        }
    }
}
