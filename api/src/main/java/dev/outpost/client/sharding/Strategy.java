package dev.outpost.client.sharding;

import java.util.Arrays;

/**
 * A placement by which several members compute an instruction: what they need of each operand and have of each result
 * then. All dimensions that are named are cut at the same indices.
 *
 * @param operands for each a dimension, {@link #WHOLE} or {@link #SUMMANDS}
 * @param results as the operands
 */
record Strategy(int[] operands, int[] results) {
    /** Each member has all of it. */
    static final int WHOLE = -1;

    /** Each member has a term of a sum. */
    static final int SUMMANDS = -2;

    static int[] parts(int... parts) {
        return parts;
    }

    static int[] each(int count, int part) {
        int[] parts = new int[count];
        Arrays.fill(parts, part);
        return parts;
    }

    /** Every member computes all of it. */
    static Strategy whole(int operands, int results) {
        return new Strategy(each(operands, WHOLE), each(results, WHOLE));
    }

    /** Whether some dimension is cut. */
    boolean isCut() {
        return Arrays.stream(operands).anyMatch(part -> part >= 0);
    }
}
