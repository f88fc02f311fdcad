package dev.outpost.models.constraint;

import java.util.Arrays;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Transition;

/**
 * The states of an automaton over code points that is built from its end. Each part is built with the state that follows it, which must
 * have all its edges already. Not thread-safe.
 */
final class StateGraph {
    /** Thrown if the graph would have more states than the limit. */
    static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLargeException(int limit) {
            super("more than " + limit + " states", null, false, false);
        }
    }

    private static final int EDGE = 3;
    /** The cost of a state, in steps of an edge. */
    private static final int STEPS_OF_STATE = 64;

    private final int limit;
    private final Effort effort;
    /** The edges of each state, as triples of first code point, last code point and next state. */
    private int[][] edges = new int[256][];

    private int[] sizes = new int[256];
    private boolean[] ends = new boolean[256];
    private int states;

    StateGraph(int limit, Effort effort) {
        this.limit = limit;
        this.effort = effort;
    }

    int state() {
        if (states == limit) {
            throw new TooLargeException(limit);
        }
        effort.spend(STEPS_OF_STATE);
        if (states == edges.length) {
            edges = Arrays.copyOf(edges, 2 * states);
            sizes = Arrays.copyOf(sizes, 2 * states);
            ends = Arrays.copyOf(ends, 2 * states);
        }
        edges[states] = new int[EDGE];
        return states++;
    }

    /** Makes a state in which a text may end. */
    int end() {
        int end = state();
        ends[end] = true;
        return end;
    }

    void edge(int from, int first, int last, int to) {
        int size = sizes[from];
        if (size == edges[from].length) {
            edges[from] = Arrays.copyOf(edges[from], 2 * size);
        }
        edges[from][size] = first;
        edges[from][size + 1] = last;
        edges[from][size + 2] = to;
        sizes[from] = size + EDGE;
    }

    void spend(int steps) {
        effort.spend(steps);
    }

    void edge(int from, char character, int to) {
        edge(from, character, character, to);
    }

    /** Adds the edges of another state to a state, which has the effect of an edge without a character. */
    void enter(int from, int other) {
        ends[from] |= ends[other];
        effort.spend(sizes[other]);
        for (int place = 0; place < sizes[other]; place += EDGE) {
            edge(from, edges[other][place], edges[other][place + 1], edges[other][place + 2]);
        }
    }

    /** Returns a state from which a text leads to the next state. */
    int text(String text, int next) {
        int at = next;
        for (int place = text.length() - 1; place >= 0; place--) {
            int before = state();
            edge(before, text.charAt(place), at);
            at = before;
        }
        return at;
    }

    /** Returns the first state of a copy of a deterministic automaton. Each accepting state of it continues at the next state. */
    int automaton(Automaton part, int next) {
        if (part.getNumStates() == 0) {
            return state();
        }
        int[] copies = new int[part.getNumStates()];
        for (int state = 0; state < copies.length; state++) {
            boolean isLast = part.isAccept(state) && part.getNumTransitions(state) == 0;
            copies[state] = isLast ? next : state();
        }
        Transition transition = new Transition();
        for (int state = 0; state < copies.length; state++) {
            int count = part.initTransition(state, transition);
            effort.spend(count);
            for (int each = 0; each < count; each++) {
                part.getNextTransition(transition);
                edge(copies[state], transition.min, transition.max, copies[transition.dest]);
            }
            if (part.isAccept(state) && copies[state] != next) {
                enter(copies[state], next);
            }
        }
        return copies[0];
    }

    /** Returns the automaton of all states on a path from the start to an accepting state. */
    Automaton finish(int start) {
        boolean[] isLive = leadToAnEnd();
        int[] numbers = new int[states];
        Arrays.fill(numbers, -1);
        int[] reached = new int[states];
        int count = 0;
        Automaton automaton = new Automaton();
        numbers[start] = automaton.createState();
        reached[count++] = start;
        for (int place = 0; place < count; place++) {
            int state = reached[place];
            automaton.setAccept(numbers[state], ends[state]);
            for (int edge = 0; edge < sizes[state]; edge += EDGE) {
                int to = edges[state][edge + 2];
                if (isLive[to] && numbers[to] < 0) {
                    numbers[to] = automaton.createState();
                    reached[count++] = to;
                }
            }
        }
        for (int place = 0; place < count; place++) {
            int state = reached[place];
            for (int edge = 0; edge < sizes[state]; edge += EDGE) {
                int to = edges[state][edge + 2];
                if (isLive[to]) {
                    automaton.addTransition(numbers[state], numbers[to], edges[state][edge], edges[state][edge + 1]);
                }
            }
        }
        automaton.finishState();
        return automaton;
    }

    private boolean[] leadToAnEnd() {
        int[][] before = new int[states][];
        int[] counts = new int[states];
        for (int state = 0; state < states; state++) {
            for (int edge = 0; edge < sizes[state]; edge += EDGE) {
                counts[edges[state][edge + 2]]++;
            }
        }
        Arrays.setAll(before, state -> new int[counts[state]]);
        for (int state = 0; state < states; state++) {
            for (int edge = 0; edge < sizes[state]; edge += EDGE) {
                int to = edges[state][edge + 2];
                before[to][--counts[to]] = state;
            }
        }
        boolean[] isLive = new boolean[states];
        int[] queue = new int[states];
        int last = 0;
        for (int state = 0; state < states; state++) {
            if (ends[state]) {
                isLive[state] = true;
                queue[last++] = state;
            }
        }
        for (int place = 0; place < last; place++) {
            for (int state : before[queue[place]]) {
                if (!isLive[state]) {
                    isLive[state] = true;
                    queue[last++] = state;
                }
            }
        }
        return isLive;
    }
}
