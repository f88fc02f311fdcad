package dev.outpost.models.constraint;

import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Transition;

/** Adds JSON strings to a graph, with the escaped spellings of code points. */
final class StringStates {
    private static final int FIRST_SURROGATE = 0xD800;
    private static final int FIRST_LOW_SURROGATE = 0xDC00;
    private static final int LAST_SURROGATE = 0xDFFF;
    private static final String ESCAPED = "\"\\\b\f\n\r\t";
    private static final int NO_TARGET = -1;
    private static final String ESCAPES = "\"\\bfnrt";

    private final StateGraph graph;
    /** True if every spelling of a code point is added, also escapes of non-ASCII code points. */
    private final boolean isEvery;

    /** The shared states of escapes. */
    private final Map<Key, Integer> shared = new HashMap<>();

    /** @param digits the number of digits that follow */
    private record Key(int from, int digit, int digits, int to) {}

    StringStates(StateGraph graph, boolean isEvery) {
        this.graph = graph;
        this.isEvery = isEvery;
    }

    /**
     * Returns the state before a string, quotes included, whose number of code points is in a range. {@code max} is
     * −1 for no upper bound.
     */
    int ofLength(int min, int max, int next) {
        int last = graph.state();
        graph.edge(last, '"', next);
        if (max < 0) {
            anyCharacter(last, last, true);
        }
        int at = last;
        for (int length = max < 0 ? min : max; length > 0; length--) {
            int before = graph.state();
            anyCharacter(before, at, isEvery);
            if (length > min) {
                graph.edge(before, '"', next);
            }
            at = before;
        }
        return quoted(at);
    }

    private int quoted(int content) {
        int start = graph.state();
        graph.edge(start, '"', content);
        return start;
    }

    private void anyCharacter(int from, int to, boolean hasEscapedCodes) {
        raw(from, 0, Character.MAX_CODE_POINT, to);
        int escape = graph.state();
        graph.edge(from, '\\', escape);
        for (char one : (ESCAPES + "/").toCharArray()) {
            graph.edge(escape, one, to);
        }
        if (hasEscapedCodes) {
            int code = graph.state();
            graph.edge(escape, 'u', code);
            codes(code, 0, FIRST_SURROGATE - 1, to);
            codes(code, LAST_SURROGATE + 1, 0xFFFF, to);
            if (isEvery) {
                pairs(code, 0x10000, Character.MAX_CODE_POINT, to);
            }
        }
    }

    /** Returns the state before the strings, quotes included, whose code points a deterministic automaton accepts. */
    int of(Automaton content, int next) {
        if (content.getNumStates() == 0) {
            return graph.state();
        }
        int[] copies = new int[content.getNumStates()];
        for (int state = 0; state < copies.length; state++) {
            copies[state] = graph.state();
        }
        Transition transition = new Transition();
        for (int state = 0; state < copies.length; state++) {
            if (content.isAccept(state)) {
                graph.edge(copies[state], '"', next);
            }
            int escape = -1;
            int count = content.initTransition(state, transition);
            graph.spend(2 * count);
            for (int each = 0; each < count; each++) {
                content.getNextTransition(transition);
                int to = copies[transition.dest];
                raw(copies[state], transition.min, transition.max, to);
                escape = escaped(copies[state], escape, transition.min, transition.max, to);
            }
        }
        return quoted(copies[0]);
    }

    /** Adds the characters that are written without an escape. */
    private void raw(int from, int first, int last, int to) {
        int at = Math.max(first, ' ');
        for (int except : new int[] {'"', '\\'}) {
            if (at <= except && except <= last) {
                range(from, at, except - 1, to);
                at = except + 1;
            }
        }
        range(from, at, Math.min(last, FIRST_SURROGATE - 1), to);
        range(from, Math.max(at, LAST_SURROGATE + 1), last, to);
    }

    private void range(int from, int first, int last, int to) {
        if (first <= last) {
            graph.edge(from, first, last, to);
        }
    }

    /** @return the state after the backslash, which is created when needed */
    private int escaped(int from, int known, int first, int last, int to) {
        int escape = known;
        for (int each = 0; each < ESCAPED.length(); each++) {
            char character = ESCAPED.charAt(each);
            if (first <= character && character <= last) {
                escape = escape < 0 ? escape(from) : escape;
                graph.edge(escape, ESCAPES.charAt(each), to);
            }
        }
        if (first < ' ' || isEvery && last >= 0x80) {
            escape = escape < 0 ? escape(from) : escape;
            int code = shared.computeIfAbsent(new Key(escape, 'u', 0, NO_TARGET), this::code);
            codes(code, first, Math.min(last, ' ' - 1), to);
            if (isEvery) {
                codes(code, Math.max(first, 0x7F), Math.min(last, FIRST_SURROGATE - 1), to);
                codes(code, Math.max(first, LAST_SURROGATE + 1), Math.min(last, 0xFFFF), to);
                pairs(code, Math.max(first, 0x10000), last, to);
            }
        }
        return escape;
    }

    private int code(Key key) {
        int code = graph.state();
        graph.edge(key.from, 'u', code);
        return code;
    }

    private int escape(int from) {
        int escape = graph.state();
        graph.edge(from, '\\', escape);
        return escape;
    }

    private void codes(int from, int first, int last, int to) {
        if (first <= last) {
            hex(from, first, last, 4, to);
        }
    }

    private void pairs(int from, int first, int last, int to) {
        if (first > last) {
            return;
        }
        int firstHigh = Character.highSurrogate(first);
        int lastHigh = Character.highSurrogate(last);
        int firstLow = Character.lowSurrogate(first);
        int lastLow = Character.lowSurrogate(last);
        if (firstHigh == lastHigh) {
            pair(from, firstHigh, lastHigh, firstLow, lastLow, to);
            return;
        }
        int begin = firstLow == FIRST_LOW_SURROGATE ? firstHigh : firstHigh + 1;
        int end = lastLow == LAST_SURROGATE ? lastHigh : lastHigh - 1;
        if (begin != firstHigh) {
            pair(from, firstHigh, firstHigh, firstLow, LAST_SURROGATE, to);
        }
        if (end != lastHigh) {
            pair(from, lastHigh, lastHigh, FIRST_LOW_SURROGATE, lastLow, to);
        }
        if (begin <= end) {
            pair(from, begin, end, FIRST_LOW_SURROGATE, LAST_SURROGATE, to);
        }
    }

    private void pair(int from, int firstHigh, int lastHigh, int firstLow, int lastLow, int to) {
        int low = graph.state();
        hex(low, firstLow, lastLow, 4, to);
        hex(from, firstHigh, lastHigh, 4, graph.text("\\u", low));
    }

    /** Adds the numbers of a range as hexadecimal digits, {@code digits} for each number. */
    private void hex(int from, int first, int last, int digits, int to) {
        if (digits == 0) {
            throw new IllegalStateException("no digits");
        }
        int shift = 4 * (digits - 1);
        int firstDigit = first >> shift;
        int lastDigit = last >> shift;
        int mask = (1 << shift) - 1;
        if (digits == 1) {
            digit(from, firstDigit, lastDigit, to);
            return;
        }
        if (firstDigit == lastDigit) {
            behindDigit(from, firstDigit, first & mask, last & mask, digits - 1, to);
            return;
        }
        int begin = (first & mask) == 0 ? firstDigit : firstDigit + 1;
        int end = (last & mask) == mask ? lastDigit : lastDigit - 1;
        if (begin != firstDigit) {
            behindDigit(from, firstDigit, first & mask, mask, digits - 1, to);
        }
        if (end != lastDigit) {
            behindDigit(from, lastDigit, 0, last & mask, digits - 1, to);
        }
        if (begin <= end) {
            digit(from, begin, end, anyDigits(digits - 1, to));
        }
    }

    /** Adds the rest of a range after its next digit. Ranges with the same next digit and target share the state after this digit. */
    private void behindDigit(int from, int digit, int first, int last, int digits, int to) {
        Key key = new Key(from, digit, digits, to);
        Integer state = shared.get(key);
        if (state == null) {
            state = graph.state();
            shared.put(key, state);
            digit(from, digit, digit, state);
        }
        hex(state, first, last, digits, to);
    }

    private int anyDigits(int digits, int to) {
        Key key = new Key(NO_TARGET, 0, digits, to);
        Integer known = shared.get(key);
        if (known == null) {
            known = graph.state();
            shared.put(key, known);
            hex(known, 0, (1 << 4 * digits) - 1, digits, to);
        }
        return known;
    }

    private void digit(int from, int first, int last, int to) {
        range(from, '0' + first, '0' + Math.min(last, 9), to);
        if (last > 9) {
            int begin = Math.max(first, 10) - 10;
            graph.edge(from, 'a' + begin, 'a' + last - 10, to);
            graph.edge(from, 'A' + begin, 'A' + last - 10, to);
        }
    }
}
