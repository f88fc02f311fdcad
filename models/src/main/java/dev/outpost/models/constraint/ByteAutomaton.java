package dev.outpost.models.constraint;

import java.util.Arrays;

/** A deterministic automaton over bytes. All its states are reachable from the first state. Immutable. */
final class ByteAutomaton {
    private static final int BYTES = 256;

    private final int[] starts;
    private final int[] edges;
    private final boolean[] mayEnd;

    /**
     * Makes an automaton.
     *
     * @param starts the index of each state's first edge; a last entry marks the end
     * @param edges triples of first byte, last byte and next state; edges of one state have no byte in common
     * @param mayEnd true for each state in which a text may end
     */
    ByteAutomaton(int[] starts, int[] edges, boolean[] mayEnd) {
        this.starts = starts;
        this.edges = edges;
        this.mayEnd = mayEnd;
    }

    int states() {
        return mayEnd.length;
    }

    boolean mayEnd(int state) {
        return mayEnd[state];
    }

    /** Returns the function of each byte. */
    int[] functions(StateFunctions functions) {
        int[] counts = counts();
        int[][] states = new int[BYTES][];
        int[][] targets = new int[BYTES][];
        for (int one = 0; one < BYTES; one++) {
            states[one] = new int[counts[one]];
            targets[one] = new int[counts[one]];
        }
        int[] found = new int[BYTES];
        for (int state = 0; state < mayEnd.length; state++) {
            for (int edge = starts[state]; edge < starts[state + 1]; edge += 3) {
                for (int one = edges[edge]; one <= edges[edge + 1]; one++) {
                    states[one][found[one]] = state;
                    targets[one][found[one]++] = edges[edge + 2];
                }
            }
        }
        int[] ofBytes = new int[BYTES];
        Arrays.setAll(ofBytes, one -> functions.of(states[one], targets[one]));
        return ofBytes;
    }

    /** Returns the number of states that allow each byte. */
    private int[] counts() {
        int[] counts = new int[BYTES + 1];
        for (int edge = 0; edge < starts[mayEnd.length]; edge += 3) {
            counts[edges[edge]]++;
            counts[edges[edge + 1] + 1]--;
        }
        for (int one = 1; one < BYTES; one++) {
            counts[one] += counts[one - 1];
        }
        return counts;
    }
}
