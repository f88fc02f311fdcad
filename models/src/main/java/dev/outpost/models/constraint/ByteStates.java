package dev.outpost.models.constraint;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Transition;

/**
 * Converts an automaton over code points to a deterministic one over the bytes of UTF-8. The given automaton may be nondeterministic. Most
 * sets of states in the subset construction have one member. Their edges are copied. Not thread-safe.
 */
final class ByteStates {
    private static final int BYTES = 256;
    private static final int FIRST_CONTINUATION = 0x80;
    private static final int LAST_CONTINUATION = 0xBF;
    private static final int SURROGATES = 0xD800;
    private static final int BEHIND_SURROGATES = 0xE000;
    /** The first code point of each length of UTF-8, followed by the number after the last code point. */
    private static final int[] LENGTHS = {0, 0x80, 0x800, 0x10000, 0x110000};

    private static final int MAX_STATES = 1 << 16;

    private final BooleanSupplier isCancelled;
    /** The edges of each state, as triples of first byte, last byte and next state. */
    private final List<int[]> edges = new ArrayList<>();

    private int[] sizes;
    /** The states from which a number of continuation bytes leads to a state, by that number and the state. */
    private final Map<Long, Integer> continuations = new HashMap<>();

    private final boolean[] ends;

    // The deterministic automaton.
    private final Map<Key, Integer> numbers = new HashMap<>();
    private final List<int[]> members = new ArrayList<>();
    private int[] singles;
    /** The edges of all states in sequence, as triples of first byte, last byte and next state. */
    private int[] next = new int[1 << 12];

    private int used;
    /** The index of each state's first edge in {@link #next}. A last entry marks the end. */
    private int[] starts = new int[1 << 10];

    private record Key(int[] states) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(states, key.states);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(states);
        }
    }

    private ByteStates(Automaton characters, BooleanSupplier isCancelled) {
        this.isCancelled = isCancelled;
        // An automaton without states accepts nothing. A single state without edges has the same meaning.
        int states = Math.max(1, characters.getNumStates());
        sizes = new int[Math.max(16, 2 * states)];
        ends = new boolean[states];
        for (int state = 0; state < states; state++) {
            edges.add(new int[6]);
        }
        Transition transition = new Transition();
        for (int state = 0; state < characters.getNumStates(); state++) {
            ends[state] = characters.isAccept(state);
            int count = characters.initTransition(state, transition);
            for (int each = 0; each < count; each++) {
                characters.getNextTransition(transition);
                add(state, transition.min, transition.max, transition.dest);
            }
        }
    }

    static ByteAutomaton of(Automaton characters, BooleanSupplier isCancelled) {
        return new ByteStates(characters, isCancelled).determinized();
    }

    // From code points to bytes

    private int state() {
        int state = edges.size();
        edges.add(new int[3]);
        if (state == sizes.length) {
            sizes = Arrays.copyOf(sizes, 2 * state);
        }
        return state;
    }

    private void edge(int from, int first, int last, int to) {
        int size = sizes[from];
        int[] own = edges.get(from);
        if (size == own.length) {
            own = Arrays.copyOf(own, 2 * size);
            edges.set(from, own);
        }
        own[size] = first;
        own[size + 1] = last;
        own[size + 2] = to;
        sizes[from] = size + 3;
    }

    private void add(int from, int first, int last, int to) {
        if (first < SURROGATES && last >= SURROGATES) {
            add(from, first, SURROGATES - 1, to);
            add(from, SURROGATES, last, to);
            return;
        }
        int begin = first >= SURROGATES && first < BEHIND_SURROGATES ? BEHIND_SURROGATES : first;
        for (int length = 1; length < LENGTHS.length; length++) {
            int low = Math.max(begin, LENGTHS[length - 1]);
            int high = Math.min(last, LENGTHS[length] - 1);
            if (low <= high) {
                int lead = length == 1 ? 0 : 0xF00 >> length & 0xFF;
                bytes(from, low, high, length - 1, lead, to);
            }
        }
    }

    /**
     * Adds edges for a range of numbers whose leading bits are in the first byte and whose other bits are in continuation bytes of six
     * bits each.
     */
    private void bytes(int from, int first, int last, int more, int lead, int to) {
        if (more == 0) {
            edge(from, lead + first, lead + last, to);
            return;
        }
        int shift = 6 * more;
        int mask = (1 << shift) - 1;
        int firstByte = first >> shift;
        int lastByte = last >> shift;
        if (firstByte == lastByte) {
            part(from, lead + firstByte, first & mask, last & mask, more, to);
            return;
        }
        int begin = (first & mask) == 0 ? firstByte : firstByte + 1;
        int end = (last & mask) == mask ? lastByte : lastByte - 1;
        if (begin != firstByte) {
            part(from, lead + firstByte, first & mask, mask, more, to);
        }
        if (begin <= end) {
            edge(from, lead + begin, lead + end, continuation(more, to));
        }
        if (end != lastByte) {
            part(from, lead + lastByte, 0, last & mask, more, to);
        }
    }

    private void part(int from, int one, int first, int last, int more, int to) {
        if (first == 0 && last == (1 << 6 * more) - 1) {
            edge(from, one, one, continuation(more, to));
            return;
        }
        int behind = state();
        edge(from, one, one, behind);
        bytes(behind, first, last, more - 1, FIRST_CONTINUATION, to);
    }

    private int continuation(int more, int to) {
        if (more == 0) {
            return to;
        }
        long key = (long) more << 32 | to;
        Integer known = continuations.get(key);
        if (known == null) {
            known = state();
            continuations.put(key, known);
            edge(known, FIRST_CONTINUATION, LAST_CONTINUATION, continuation(more - 1, to));
        }
        return known;
    }

    // From sets of states to states

    private ByteAutomaton determinized() {
        singles = new int[edges.size()];
        Arrays.fill(singles, -1);
        number(new int[] {0}, 1);
        for (int state = 0; state < members.size(); state++) {
            if (state % 64 == 0 && isCancelled.getAsBoolean()) {
                throw new CompilationCancelledException();
            }
            explore(members.get(state));
            if (state + 1 == starts.length) {
                starts = Arrays.copyOf(starts, 2 * starts.length);
            }
            starts[state + 1] = used;
        }
        boolean[] mayEnd = new boolean[members.size()];
        for (int state = 0; state < mayEnd.length; state++) {
            for (int member : members.get(state)) {
                mayEnd[state] |= member < ends.length && ends[member];
            }
        }
        return new ByteAutomaton(starts, next, mayEnd);
    }

    /** @param states in order */
    private int number(int[] states, int count) {
        if (count == 1) {
            int only = states[0];
            if (singles[only] < 0) {
                singles[only] = add(new int[] {only});
            }
            return singles[only];
        }
        Key key = new Key(Arrays.copyOf(states, count));
        Integer known = numbers.get(key);
        if (known == null) {
            known = add(key.states);
            numbers.put(key, known);
        }
        return known;
    }

    private int add(int[] states) {
        if (members.size() == MAX_STATES) {
            throw new OutpostException(FaultKind.USER, "constraint: it has too many states to be used");
        }
        members.add(states);
        return members.size() - 1;
    }

    private void explore(int[] states) {
        int[] all = edges.get(states[0]);
        int size = sizes[states[0]];
        for (int member = 1; member < states.length; member++) {
            int more = sizes[states[member]];
            if (all.length < size + more || member == 1) {
                all = Arrays.copyOf(all, Math.max(2 * size, size + more));
            }
            System.arraycopy(edges.get(states[member]), 0, all, size, more);
            size += more;
        }
        if (isDisjoint(all, size)) {
            for (int place = 0; place < size; place += 3) {
                put(all[place], all[place + 1], number(new int[] {all[place + 2]}, 1));
            }
        } else {
            intervals(all, size);
        }
    }

    /** True if the edges are in order and have no byte in common. */
    private static boolean isDisjoint(int[] all, int size) {
        for (int place = 3; place < size; place += 3) {
            if (all[place] <= all[place - 2]) {
                return false;
            }
        }
        return true;
    }

    private void put(int first, int last, int to) {
        if (used + 3 > next.length) {
            next = Arrays.copyOf(next, 2 * next.length);
        }
        next[used] = first;
        next[used + 1] = last;
        next[used + 2] = to;
        used += 3;
    }

    private void intervals(int[] all, int size) {
        boolean[] begins = new boolean[BYTES + 1];
        for (int place = 0; place < size; place += 3) {
            begins[all[place]] = true;
            begins[all[place + 1] + 1] = true;
        }
        begins[BYTES] = true;
        int[] some = new int[size / 3];
        int first = 0;
        for (int behind = 1; behind <= BYTES; behind++) {
            if (!begins[behind]) {
                continue;
            }
            int count = 0;
            for (int place = 0; place < size; place += 3) {
                if (all[place] <= first && first <= all[place + 1]) {
                    some[count++] = all[place + 2];
                }
            }
            if (count > 0) {
                put(first, behind - 1, number(some, distinct(some, count)));
            }
            first = behind;
        }
    }

    /** Sorts the first numbers and removes duplicates. Returns the number of remaining ones. */
    private static int distinct(int[] numbers, int count) {
        Arrays.sort(numbers, 0, count);
        int kept = 1;
        for (int place = 1; place < count; place++) {
            if (numbers[place] != numbers[kept - 1]) {
                numbers[kept++] = numbers[place];
            }
        }
        return kept;
    }
}
