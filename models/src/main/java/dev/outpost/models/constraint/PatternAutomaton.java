package dev.outpost.models.constraint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;

/**
 * Builds the deterministic automaton of the texts in which a pattern matches somewhere, by the subset construction. An anchor is a state
 * that consumes no character. {@code ^} is passed only in the first set, and {@code $} only in the check whether the text may end. Not
 * thread-safe.
 */
final class PatternAutomaton {
    /** The maximum number of states of the deterministic automaton. */
    private static final int MAX_STATES = 5_000;
    /** The maximum number of ranges of all character sets of a pattern together. */
    private static final int MAX_RANGES = 50_000;

    /** The maximum of states times kinds of characters. */
    private static final int MAX_TARGETS = 2_000_000;

    private static final int ACCEPT = 0;

    /** The kind of the edge from a state to the next one. */
    private enum Kind {
        ACCEPT,
        CHARACTER,
        BRANCH,
        BEGIN,
        END
    }

    private final String pattern;
    private final Effort effort;

    // The pattern's states.
    private final List<Kind> kinds = new ArrayList<>();
    private int[] next = new int[64];
    /** For a branch its second next state, for a character the number of its set. */
    private int[] others = new int[64];

    private final Map<CharacterSet, Integer> sets = new LinkedHashMap<>();
    /** True for a state from which the end can be reached without passing {@code ^} again. */
    private boolean[] isUseful;

    // Ranges of characters that belong to the same sets have one kind.
    private int[] rangeBegins;
    private int[] rangeKinds;
    private int kindsOfCharacters;
    private int[][] kindsOfSets;

    // Sets of states.
    private final Map<BitSet, Integer> numbers = new HashMap<>();
    private final List<int[]> members = new ArrayList<>();
    private int[] marks;
    private int mark;
    private int[] stack;
    private int[] found;
    private int foundCount;

    private PatternAutomaton(String pattern, Effort effort) {
        this.pattern = pattern;
        this.effort = effort;
    }

    /** Returns the automaton of a pattern, deterministic and without dead states. */
    static Automaton of(String pattern, Effort effort) {
        PatternAutomaton builder = new PatternAutomaton(pattern, effort);
        builder.state(Kind.ACCEPT, -1, -1);
        int match = builder.build(EcmaPattern.parse(pattern), ACCEPT);
        int around = builder.state(Kind.BRANCH, match, -1);
        builder.others[around] = builder.one(CharacterSet.ANY, around);
        return builder.determinized(around);
    }

    // The pattern's states

    private int state(Kind kind, int to, int other) {
        int state = kinds.size();
        effort.spend(1);
        if (state == next.length) {
            next = Arrays.copyOf(next, 2 * state);
            others = Arrays.copyOf(others, 2 * state);
        }
        kinds.add(kind);
        next[state] = to;
        others[state] = other;
        return state;
    }

    private int one(CharacterSet set, int to) {
        return state(Kind.CHARACTER, to, sets.computeIfAbsent(set, unseen -> sets.size()));
    }

    /** Returns a state from which a part leads to the next state. */
    private int build(EcmaPattern.Part part, int to) {
        return switch (part) {
            case EcmaPattern.One one -> one(one.set(), to);
            case EcmaPattern.Anchor anchor -> state(anchor.isBegin() ? Kind.BEGIN : Kind.END, to, -1);
            case EcmaPattern.Sequence sequence -> {
                int at = to;
                for (EcmaPattern.Part each : sequence.parts().reversed()) {
                    at = build(each, at);
                }
                yield at;
            }
            case EcmaPattern.Choice choice -> {
                int at = build(choice.parts().getLast(), to);
                for (EcmaPattern.Part each :
                        choice.parts().reversed().subList(1, choice.parts().size())) {
                    at = state(Kind.BRANCH, build(each, to), at);
                }
                yield at;
            }
            case EcmaPattern.Repeated repeated -> repeated(repeated, to);
        };
    }

    private int repeated(EcmaPattern.Repeated repeated, int to) {
        int at = to;
        if (repeated.max() < 0) {
            at = state(Kind.BRANCH, -1, to);
            int again = build(repeated.part(), at);
            next[at] = again;
        }
        for (int time = repeated.min(); time < repeated.max(); time++) {
            at = state(Kind.BRANCH, build(repeated.part(), at), to);
        }
        for (int time = 0; time < repeated.min(); time++) {
            at = build(repeated.part(), at);
        }
        return at;
    }

    private boolean[] useful() {
        int count = kinds.size();
        int[] sizes = new int[count + 1];
        for (int state = 0; state < count; state++) {
            if (kinds.get(state) != Kind.BEGIN && state != ACCEPT) {
                sizes[next[state]]++;
                if (kinds.get(state) == Kind.BRANCH) {
                    sizes[others[state]]++;
                }
            }
        }
        int[][] before = new int[count][];
        Arrays.setAll(before, state -> new int[sizes[state]]);
        for (int state = 0; state < count; state++) {
            if (kinds.get(state) != Kind.BEGIN && state != ACCEPT) {
                before[next[state]][--sizes[next[state]]] = state;
                if (kinds.get(state) == Kind.BRANCH) {
                    before[others[state]][--sizes[others[state]]] = state;
                }
            }
        }
        boolean[] reaches = new boolean[count];
        int[] queue = new int[count];
        int last = 1;
        reaches[ACCEPT] = true;
        for (int place = 0; place < last; place++) {
            for (int state : before[queue[place]]) {
                if (!reaches[state]) {
                    reaches[state] = true;
                    queue[last++] = state;
                }
            }
        }
        return reaches;
    }

    // Kinds of characters

    private void divide() {
        List<CharacterSet> all = List.copyOf(sets.keySet());
        int ranges = all.stream().mapToInt(CharacterSet::ranges).sum();
        if (ranges > MAX_RANGES) {
            throw EcmaPattern.tooLarge(pattern);
        }
        Map<Integer, List<Integer>> changes = new HashMap<>();
        for (int set = 0; set < all.size(); set++) {
            for (int range = 0; range < all.get(set).ranges(); range++) {
                changes.computeIfAbsent(all.get(set).first(range), unseen -> new ArrayList<>())
                        .add(set);
                changes.computeIfAbsent(all.get(set).last(range) + 1, unseen -> new ArrayList<>())
                        .add(set);
            }
        }
        Map<BitSet, Integer> known = new LinkedHashMap<>();
        BitSet within = new BitSet(all.size());
        List<Integer> begins = List.copyOf(new TreeSet<>(changes.keySet()));
        rangeBegins = begins.stream().mapToInt(Integer::intValue).toArray();
        rangeKinds = new int[rangeBegins.length];
        for (int range = 0; range < rangeBegins.length; range++) {
            effort.spend(4L + all.size() / Long.SIZE);
            // The ranges of a set do not touch each other, so each bound enters or leaves the set.
            changes.get(rangeBegins[range]).forEach(within::flip);
            rangeKinds[range] =
                    within.isEmpty() ? -1 : known.computeIfAbsent((BitSet) within.clone(), unseen -> known.size());
        }
        kindsOfCharacters = known.size();
        int[][] ofSets = new int[all.size()][];
        int[] sizes = new int[all.size()];
        known.keySet().forEach(some -> some.stream().forEach(set -> sizes[set]++));
        Arrays.setAll(ofSets, set -> new int[sizes[set]]);
        known.forEach((some, kind) -> some.stream().forEach(set -> ofSets[set][--sizes[set]] = kind));
        kindsOfSets = ofSets;
    }

    // Sets of states

    private Automaton determinized(int start) {
        isUseful = useful();
        divide();
        int count = kinds.size();
        marks = new int[count];
        stack = new int[count];
        found = new int[count];
        Automaton automaton = new Automaton();
        closure(new int[] {start}, 1, true, false);
        int[] first = Arrays.copyOf(found, foundCount);
        boolean mayBeEmpty = mayEnd(first, true);
        // The same set may occur later in a text, where ^ does not match, and so may differ in whether the text may
        // end.
        number(first, mayBeEmpty == mayEnd(first, false));
        List<int[]> targets = new ArrayList<>();
        for (int state = 0; state < members.size(); state++) {
            targets.add(explore(members.get(state)));
        }
        for (int state = 0; state < members.size(); state++) {
            automaton.createState();
            automaton.setAccept(state, state == 0 ? mayBeEmpty : mayEnd(members.get(state), false));
        }
        for (int state = 0; state < members.size(); state++) {
            transitions(automaton, state, targets.get(state));
        }
        automaton.finishState();
        return Operations.removeDeadStates(automaton);
    }

    /** Finds the relevant states that are reachable from the seeds without a character. */
    private void closure(int[] seeds, int count, boolean passesBegin, boolean passesEnd) {
        mark++;
        foundCount = 0;
        int size = 0;
        for (int place = 0; place < count; place++) {
            size = push(seeds[place], size);
        }
        int steps = 0;
        while (size > 0) {
            int state = stack[--size];
            steps++;
            switch (kinds.get(state)) {
                case BRANCH -> {
                    size = push(others[state], size);
                    size = push(next[state], size);
                }
                case BEGIN -> size = passesBegin ? push(next[state], size) : size;
                case END -> {
                    if (passesBegin || isUseful[state]) {
                        found[foundCount++] = state;
                    }
                    size = passesEnd ? push(next[state], size) : size;
                }
                default -> {
                    if (passesBegin || isUseful[state]) {
                        found[foundCount++] = state;
                    }
                }
            }
        }
        effort.spend(steps + 1L);
    }

    private int push(int state, int size) {
        if (marks[state] == mark) {
            return size;
        }
        marks[state] = mark;
        stack[size] = state;
        return size + 1;
    }

    private boolean mayEnd(int[] states, boolean isBegin) {
        closure(states, states.length, isBegin, true);
        for (int place = 0; place < foundCount; place++) {
            if (found[place] == ACCEPT) {
                return true;
            }
        }
        return false;
    }

    /** @param isShared false if the set must not share its number with equal sets */
    private int number(int[] states, boolean isShared) {
        BitSet key = new BitSet();
        for (int state : states) {
            key.set(state);
        }
        // After a match the rest of the text is arbitrary.
        if (key.get(ACCEPT)) {
            key.clear();
            key.set(ACCEPT);
        }
        effort.spend(1 + key.length() / Long.SIZE);
        Integer known = numbers.get(key);
        if (known != null) {
            return known;
        }
        int number = members.size();
        if (number == MAX_STATES || (long) number * (1 + kindsOfCharacters) > MAX_TARGETS) {
            throw EcmaPattern.tooLarge(pattern);
        }
        if (isShared) {
            numbers.put(key, number);
        }
        members.add(key.stream().toArray());
        return number;
    }

    /** Returns the number of the next set for each kind of character, or −1. */
    private int[] explore(int[] states) {
        int[] targets = new int[kindsOfCharacters];
        Arrays.fill(targets, -1);
        if (states.length > 0 && states[0] == ACCEPT) {
            Arrays.fill(targets, number(states, true));
            return targets;
        }
        int[][] seeds = new int[kindsOfCharacters][];
        int[] sizes = new int[kindsOfCharacters];
        for (int state : states) {
            if (kinds.get(state) == Kind.CHARACTER) {
                int[] own = kindsOfSets[others[state]];
                effort.spend(own.length);
                for (int kind : own) {
                    if (seeds[kind] == null) {
                        seeds[kind] = new int[4];
                    } else if (sizes[kind] == seeds[kind].length) {
                        seeds[kind] = Arrays.copyOf(seeds[kind], 2 * sizes[kind]);
                    }
                    seeds[kind][sizes[kind]++] = next[state];
                }
            }
        }
        for (int kind = 0; kind < kindsOfCharacters; kind++) {
            if (sizes[kind] > 0) {
                closure(seeds[kind], sizes[kind], false, false);
                targets[kind] = foundCount == 0 ? -1 : number(Arrays.copyOf(found, foundCount), true);
            }
        }
        return targets;
    }

    private void transitions(Automaton automaton, int from, int[] targets) {
        int begin = 0;
        int target = -1;
        for (int range = 0; range < rangeBegins.length; range++) {
            int to = rangeKinds[range] < 0 ? -1 : targets[rangeKinds[range]];
            if (to != target) {
                if (target >= 0) {
                    automaton.addTransition(from, target, begin, rangeBegins[range] - 1);
                }
                target = to;
                begin = rangeBegins[range];
            }
        }
        effort.spend(rangeBegins.length);
        // The last range must end.
        if (target >= 0) {
            throw new IllegalStateException("a range without an end");
        }
    }
}
