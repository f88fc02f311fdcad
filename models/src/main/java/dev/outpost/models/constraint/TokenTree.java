package dev.outpost.models.constraint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.jspecify.annotations.Nullable;

/** The bytes of all tokens of a model as a tree, so that what several begin with is stepped through once. Immutable. */
final class TokenTree {
    private final @Nullable TokenTree[] next = new TokenTree[256];
    private final List<Integer> whole = new ArrayList<>();

    private TokenTree() {}

    /** @param ends tokens that are left out, since they end a text */
    static TokenTree of(byte[] @Nullable [] tokens, Set<Integer> ends) {
        TokenTree root = new TokenTree();
        for (int token = 0; token < tokens.length; token++) {
            byte[] bytes = tokens[token];
            // Special tokens have no text, and one without text would go on for ever.
            if (bytes != null && bytes.length > 0 && !ends.contains(token)) {
                root.add(bytes, token);
            }
        }
        return root;
    }

    private void add(byte[] bytes, int token) {
        TokenTree node = this;
        for (byte one : bytes) {
            TokenTree child = node.next[one & 0xFF];
            if (child == null) {
                child = new TokenTree();
                node.next[one & 0xFF] = child;
            }
            node = child;
        }
        node.whole.add(token);
    }

    /** Tokens that are allowed, and the states of the automaton behind them. */
    static final class Found {
        private int[] tokens = new int[64];
        private int[] states = new int[64];
        private int count;

        void clear() {
            count = 0;
        }

        int count() {
            return count;
        }

        int state(int place) {
            return states[place];
        }

        int[] tokens() {
            return Arrays.copyOf(tokens, count);
        }

        private void add(int token, int state) {
            if (count == tokens.length) {
                tokens = Arrays.copyOf(tokens, 2 * count);
                states = Arrays.copyOf(states, 2 * count);
            }
            tokens[count] = token;
            states[count++] = state;
        }
    }

    void collect(ByteRunAutomaton automaton, int state, Found found) {
        whole.forEach(token -> found.add(token, state));
        for (int value = 0; value < next.length; value++) {
            TokenTree child = next[value];
            int behind = child == null ? -1 : automaton.step(state, value);
            if (behind >= 0) {
                child.collect(automaton, behind, found);
            }
        }
    }
}
