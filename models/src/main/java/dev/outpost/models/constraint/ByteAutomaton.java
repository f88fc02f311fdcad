package dev.outpost.models.constraint;

import java.util.Arrays;

/**
 * A deterministic automaton over bytes as a transition table. It finds the states from which all plain characters of a string lead to the
 * same state. For one thread.
 */
final class ByteAutomaton {
    /** Stands for no state: the byte is not allowed. */
    static final int NONE = -1;

    private static final int UNKNOWN = -2;
    private static final int DIFFERENT = -3;
    private static final int BYTES = 256;

    private final int[] next;
    private final boolean[] mayEnd;
    /** For each state, the state after any plain character, {@link #NONE}, {@link #DIFFERENT} or {@link #UNKNOWN}. */
    private final int[] behindPlain;

    /** @param next the state after each byte in each state, {@code [states, 256]} */
    ByteAutomaton(int[] next, boolean[] mayEnd) {
        this.next = next;
        this.mayEnd = mayEnd;
        behindPlain = new int[mayEnd.length];
        Arrays.fill(behindPlain, UNKNOWN);
    }

    int states() {
        return mayEnd.length;
    }

    int step(int state, int one) {
        return next[state * BYTES + one];
    }

    boolean mayEnd(int state) {
        return mayEnd[state];
    }

    /** True if the state after some plain characters depends only on their number. */
    boolean isUniform(int state) {
        int at = state;
        for (int length = 0; length < TokenTree.MAX_PLAIN && at >= 0; length++) {
            int behind = behindPlain(at);
            if (behind == DIFFERENT) {
                return false;
            }
            if (behind == at) {
                return true;
            }
            at = behind;
        }
        return true;
    }

    /** Returns the state after any plain character, {@link #NONE}, or {@link #DIFFERENT} if plain characters lead to different states. */
    int behindPlain(int state) {
        if (behindPlain[state] == UNKNOWN) {
            behindPlain[state] = computeBehindPlain(state);
        }
        return behindPlain[state];
    }

    private int computeBehindPlain(int state) {
        int behind = step(state, ' ');
        for (int one = ' ' + 1; one <= 0x7F; one++) {
            if (one != '"' && one != '\\' && step(state, one) != behind) {
                return DIFFERENT;
            }
        }
        boolean isUniform = isUniform(state, 0xC2, 0xDF, 0x80, 0xBF, 1, behind)
                && isUniform(state, 0xE0, 0xE0, 0xA0, 0xBF, 2, behind)
                && isUniform(state, 0xE1, 0xE1, 0x80, 0xBF, 2, behind)
                && isUniformButSeparators(state, behind)
                && isUniform(state, 0xE3, 0xEC, 0x80, 0xBF, 2, behind)
                && isUniform(state, 0xED, 0xED, 0x80, 0x9F, 2, behind)
                && isUniform(state, 0xEE, 0xEF, 0x80, 0xBF, 2, behind)
                && isUniform(state, 0xF0, 0xF0, 0x90, 0xBF, 3, behind)
                && isUniform(state, 0xF1, 0xF3, 0x80, 0xBF, 3, behind)
                && isUniform(state, 0xF4, 0xF4, 0x80, 0x8F, 3, behind);
        return isUniform ? behind : DIFFERENT;
    }

    private boolean isUniform(int state, int first, int last, int low, int high, int more, int behind) {
        for (int one = first; one <= last; one++) {
            int second = step(state, one);
            if (behind == NONE && second == NONE) {
                continue;
            }
            if (second == NONE || behind == NONE || !leads(second, low, high, more, behind)) {
                return false;
            }
        }
        return true;
    }

    /**
     * True if the plain characters with the first byte E2 lead to one state. The line and paragraph separators U+2028 and U+2029 are not
     * plain, because a dot in a pattern does not match them.
     */
    private boolean isUniformButSeparators(int state, int behind) {
        int second = step(state, 0xE2);
        if (second == NONE || behind == NONE) {
            return second == behind;
        }
        int third = step(second, 0x80);
        return third != NONE
                && leads(third, 0x80, 0xA7, 1, behind)
                && leads(third, 0xAA, 0xBF, 1, behind)
                && leads(second, 0x81, 0xBF, 2, behind);
    }

    private boolean leads(int state, int low, int high, int more, int behind) {
        int common = step(state, low);
        for (int one = low + 1; one <= high; one++) {
            int other = step(state, one);
            if (other != common && (more == 1 || !leadsFrom(other, more, behind))) {
                return false;
            }
        }
        return more == 1 ? common == behind : leadsFrom(common, more, behind);
    }

    private boolean leadsFrom(int state, int more, int behind) {
        return state != NONE && leads(state, 0x80, 0xBF, more - 1, behind);
    }
}
