package dev.outpost.client.sharding;

import java.util.Arrays;

/**
 * A method by which several members compute an instruction: the parts of operands that they need, and the parts of results that they have
 * then. All dimensions of a strategy are cut at the same indices.
 *
 * @param operands for each operand a dimension, {@link #WHOLE} or {@link #SUMMANDS}
 * @param results the same for each result
 */
record Strategy(int[] operands, int[] results) {
    /** Each member has the whole value. */
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

    /** Returns the strategy by which every member computes all results. */
    static Strategy whole(int operands, int results) {
        return new Strategy(each(operands, WHOLE), each(results, WHOLE));
    }

    boolean isCut() {
        return Arrays.stream(operands).anyMatch(part -> part >= 0);
    }
}
