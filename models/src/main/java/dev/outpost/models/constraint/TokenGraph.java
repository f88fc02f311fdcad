package dev.outpost.models.constraint;

import java.util.Arrays;

/** The graph of the states. An edge leads from one state to another if a token does. */
final class TokenGraph {
    private final ByteAutomaton bytes;
    /** The index of each state's first edge in {@link #targets}. A last entry marks the end. */
    private final int[] starts;

    private final int[] targets;
    /** The index of each state's first edge in the reversed graph. A last entry marks the end. */
    private final int[] reversedStarts;

    private final int[] sources;

    /** @param used the functions of the tokens */
    TokenGraph(ByteAutomaton bytes, StateFunctions functions, int[] used, Effort effort) {
        this.bytes = bytes;
        int states = bytes.states();
        starts = new int[states + 1];
        for (int function : used) {
            effort.spend(functions.domain(function).length);
            for (int state : functions.domain(function)) {
                starts[state]++;
            }
        }
        toEnds(starts);
        int[] all = new int[starts[states]];
        for (int function : used) {
            int[] from = functions.domain(function);
            int[] to = functions.values(function);
            effort.spend(to.length);
            for (int pair = 0; pair < from.length; pair++) {
                all[--starts[from[pair]]] = to[pair];
            }
        }
        targets = Arrays.copyOf(all, removeDuplicates(all, starts));
        reversedStarts = new int[states + 1];
        for (int target : targets) {
            reversedStarts[target]++;
        }
        toEnds(reversedStarts);
        sources = new int[targets.length];
        for (int state = 0; state < states; state++) {
            for (int place = starts[state]; place < starts[state + 1]; place++) {
                sources[--reversedStarts[targets[place]]] = state;
            }
        }
    }

    /** Converts the numbers of edges to the index after each state's last edge. */
    private static void toEnds(int[] counts) {
        for (int state = 1; state < counts.length; state++) {
            counts[state] += counts[state - 1];
        }
    }

    /** Moves one edge of each group of equal edges to the front. Returns the number of remaining edges. */
    private static int removeDuplicates(int[] targets, int[] starts) {
        int states = starts.length - 1;
        int[] seenBy = new int[states];
        Arrays.fill(seenBy, -1);
        int kept = 0;
        int begin = 0;
        for (int state = 0; state < states; state++) {
            int end = starts[state + 1];
            starts[state] = kept;
            for (int place = begin; place < end; place++) {
                int target = targets[place];
                if (seenBy[target] != state) {
                    seenBy[target] = state;
                    targets[kept++] = target;
                }
            }
            begin = end;
        }
        starts[states] = kept;
        return kept;
    }

    /** Returns true for each state that texts of tokens reach, and from which tokens reach the end of the text. */
    boolean[] useful() {
        boolean[] isReached = reached();
        int[] distances = unknown();
        int[] queue = new int[distances.length];
        int last = 0;
        for (int state = 0; state < distances.length; state++) {
            if (bytes.mayEnd(state)) {
                distances[state] = 0;
                queue[last++] = state;
            }
        }
        searchBackwards(distances, queue, last);
        for (int state = 0; state < isReached.length; state++) {
            isReached[state] &= distances[state] != Integer.MAX_VALUE;
        }
        return isReached;
    }

    private boolean[] reached() {
        boolean[] isReached = new boolean[bytes.states()];
        int[] queue = new int[isReached.length];
        isReached[0] = true;
        int last = 1;
        for (int first = 0; first < last; first++) {
            int state = queue[first];
            for (int place = starts[state]; place < starts[state + 1]; place++) {
                if (!isReached[targets[place]]) {
                    isReached[targets[place]] = true;
                    queue[last++] = targets[place];
                }
            }
        }
        return isReached;
    }

    /** Returns true for each state from which no token leads to a useful state. */
    boolean[] whole(boolean[] useful) {
        boolean[] isWhole = new boolean[useful.length];
        for (int state = 0; state < isWhole.length; state++) {
            isWhole[state] = true;
            for (int place = starts[state]; place < starts[state + 1] && isWhole[state]; place++) {
                isWhole[state] = !useful[targets[place]];
            }
        }
        return isWhole;
    }

    /**
     * Returns the minimum number of tokens from each useful state to a whole text. The token that ends a text counts.
     */
    int[] tokensToEnd(boolean[] useful, boolean[] whole) {
        int[] distances = unknown();
        int[] queue = new int[distances.length];
        int last = 0;
        for (int distance = 0; distance <= 1; distance++) {
            for (int state = 0; state < distances.length; state++) {
                if (useful[state] && bytes.mayEnd(state) && whole[state] == (distance == 0)) {
                    distances[state] = distance;
                    queue[last++] = state;
                }
            }
        }
        searchBackwards(distances, queue, last);
        return distances;
    }

    private int[] unknown() {
        int[] distances = new int[bytes.states()];
        Arrays.fill(distances, Integer.MAX_VALUE);
        return distances;
    }

    /** @param queue the states with known distances, the nearest ones first */
    private void searchBackwards(int[] distances, int[] queue, int size) {
        int last = size;
        for (int first = 0; first < last; first++) {
            int state = queue[first];
            for (int place = reversedStarts[state]; place < reversedStarts[state + 1]; place++) {
                if (distances[sources[place]] == Integer.MAX_VALUE) {
                    distances[sources[place]] = distances[state] + 1;
                    queue[last++] = sources[place];
                }
            }
        }
    }
}
