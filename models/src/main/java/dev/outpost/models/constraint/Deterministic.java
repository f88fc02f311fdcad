package dev.outpost.models.constraint;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.Transition;

/** Operations on deterministic automata. Unlike the library's operations, they are bounded and can be cancelled. */
final class Deterministic {
    private Deterministic() {}

    /** Thrown if an automaton would have more states than a limit. */
    static final class TooManyStatesException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManyStatesException(int limit) {
            super("more than " + limit + " states", null, false, false);
        }
    }

    static boolean accepts(Automaton automaton, String text) {
        int state = automaton.getNumStates() == 0 ? -1 : 0;
        for (int place = 0; place < text.length() && state >= 0; ) {
            int character = text.codePointAt(place);
            state = automaton.step(state, character);
            place += Character.charCount(character);
        }
        return state >= 0 && automaton.isAccept(state);
    }

    /** Returns the intersection of two automata, deterministic and without dead states. */
    static Automaton both(Automaton one, Automaton other, int maxStates, Effort effort) {
        if (one.getNumStates() == 0 || other.getNumStates() == 0) {
            return Automata.makeEmpty();
        }
        return new Product(one, other, maxStates, effort).automaton();
    }

    /** The product automaton, in which each state is a pair of states. */
    private static final class Product {
        private final Automaton one;
        private final Automaton other;
        private final int maxStates;
        private final Effort effort;
        private final Automaton both = new Automaton();
        private final Map<Long, Integer> numbers = new HashMap<>();
        private final List<Long> pairs = new ArrayList<>();

        Product(Automaton one, Automaton other, int maxStates, Effort effort) {
            this.one = one;
            this.other = other;
            this.maxStates = maxStates;
            this.effort = effort;
        }

        Automaton automaton() {
            number(0, 0);
            for (int state = 0; state < pairs.size(); state++) {
                explore(
                        state,
                        (int) (pairs.get(state) >> Integer.SIZE),
                        pairs.get(state).intValue());
            }
            both.finishState();
            return Operations.removeDeadStates(both);
        }

        private int number(int first, int second) {
            long pair = (long) first << Integer.SIZE | second;
            Integer known = numbers.get(pair);
            if (known != null) {
                return known;
            }
            if (pairs.size() == maxStates) {
                throw new TooManyStatesException(maxStates);
            }
            int state = both.createState();
            both.setAccept(state, one.isAccept(first) && other.isAccept(second));
            numbers.put(pair, state);
            pairs.add(pair);
            return state;
        }

        private void explore(int state, int first, int second) {
            Transition[] ofOne = transitions(one, first);
            Transition[] ofOther = transitions(other, second);
            effort.spend(1L + ofOne.length + ofOther.length);
            int at = 0;
            for (Transition mine : ofOne) {
                while (at < ofOther.length && ofOther[at].max < mine.min) {
                    at++;
                }
                for (int place = at; place < ofOther.length && ofOther[place].min <= mine.max; place++) {
                    both.addTransition(
                            state,
                            number(mine.dest, ofOther[place].dest),
                            Math.max(mine.min, ofOther[place].min),
                            Math.min(mine.max, ofOther[place].max));
                }
            }
        }
    }

    /** Returns the transitions of a state, ordered by their characters. */
    private static Transition[] transitions(Automaton automaton, int state) {
        Transition[] all = new Transition[automaton.getNumTransitions(state)];
        for (int place = 0; place < all.length; place++) {
            all[place] = new Transition();
            automaton.getTransition(state, place, all[place]);
        }
        Arrays.sort(all, Comparator.comparingInt(transition -> transition.min));
        return all;
    }

    /** Returns the minimal automaton of the same texts, by Moore's partition refinement (1956). */
    static Automaton minimized(Automaton given, Effort effort) {
        Automaton automaton = Operations.removeDeadStates(given);
        int states = automaton.getNumStates();
        if (states == 0) {
            return automaton;
        }
        int[] begins = automaton.getStartPoints();
        int[][] next = new int[states][begins.length];
        for (int state = 0; state < states; state++) {
            effort.spend(begins.length);
            for (int place = 0; place < begins.length; place++) {
                next[state][place] = automaton.step(state, begins[place]);
            }
        }
        int[] groups = new int[states];
        for (int state = 0; state < states; state++) {
            groups[state] = automaton.isAccept(state) ? 1 : 0;
        }
        int count = 1;
        while (true) {
            Map<IntBuffer, Integer> known = new HashMap<>();
            int[] finer = new int[states];
            for (int state = 0; state < states; state++) {
                effort.spend(2L * begins.length);
                int[] key = new int[begins.length + 1];
                key[begins.length] = groups[state];
                for (int place = 0; place < begins.length; place++) {
                    int to = next[state][place];
                    key[place] = to < 0 ? -1 : groups[to];
                }
                finer[state] = known.computeIfAbsent(IntBuffer.wrap(key), unseen -> known.size());
            }
            groups = finer;
            if (known.size() == count) {
                return merged(automaton, next, begins, groups, count);
            }
            count = known.size();
        }
    }

    /** Returns the automaton with one state for each group. The start state is in group 0. */
    private static Automaton merged(Automaton automaton, int[][] next, int[] begins, int[] groups, int count) {
        Automaton merged = new Automaton();
        for (int group = 0; group < count; group++) {
            merged.createState();
        }
        boolean[] isDone = new boolean[count];
        for (int state = 0; state < groups.length; state++) {
            if (isDone[groups[state]]) {
                continue;
            }
            isDone[groups[state]] = true;
            merged.setAccept(groups[state], automaton.isAccept(state));
            for (int place = 0; place < begins.length; place++) {
                if (next[state][place] >= 0) {
                    int last = place + 1 < begins.length ? begins[place + 1] - 1 : Character.MAX_CODE_POINT;
                    merged.addTransition(groups[state], groups[next[state][place]], begins[place], last);
                }
            }
        }
        merged.finishState();
        return merged;
    }
}
