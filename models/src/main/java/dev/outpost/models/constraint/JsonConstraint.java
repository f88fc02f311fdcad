package dev.outpost.models.constraint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.models.batch.TokenMask;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Texts that are JSON, of any object or of a schema. Which tokens may come where is computed once and kept, for all texts of one
 * constraint. Thread-safe.
 */
public final class JsonConstraint {
    private final TokenTexts texts;
    private final Set<Integer> ends;
    private final Grammar grammar = new Grammar();
    private final Grammar.State beginning;
    private final Map<Grammar.State, BitSet> allowed = new HashMap<>();

    /**
     * Any object, or JSON of a schema.
     *
     * @param ends tokens that end a text
     * @param schema null for any object
     * @throws IllegalArgumentException for a schema with what is not known, which it names
     */
    public JsonConstraint(TokenTexts texts, Set<Integer> ends, JsonNode schema) {
        this.texts = texts;
        this.ends = ends;
        JsonRules rules = new JsonRules(grammar);
        beginning = grammar.begin(schema == null ? rules.object() : rules.of(schema));
    }

    /** For a text. */
    public TokenMask mask() {
        return new Mask();
    }

    private final class Mask implements TokenMask {
        private Grammar.State state = beginning;

        @Override
        public void forbid(float[] bias) {
            synchronized (grammar) {
                BitSet may = allowed.computeIfAbsent(state, JsonConstraint.this::allowedIn);
                int from = 0;
                for (int token = may.nextSetBit(0); token >= 0; token = may.nextSetBit(token + 1)) {
                    Arrays.fill(bias, from, token, Float.NEGATIVE_INFINITY);
                    from = token + 1;
                }
                Arrays.fill(bias, from, bias.length, Float.NEGATIVE_INFINITY);
            }
        }

        @Override
        public void accept(int token) {
            synchronized (grammar) {
                for (char c : texts.text(token).toCharArray()) {
                    state = grammar.advance(state, c);
                }
            }
        }

        @Override
        public boolean isOver() {
            return state.isOver();
        }
    }

    private BitSet allowedIn(Grammar.State state) {
        BitSet may = new BitSet(texts.count());
        collect(texts.root(), state, may);
        if (state.isAccepting()) {
            ends.forEach(may::set);
        }
        if (may.isEmpty()) {
            throw new IllegalStateException("the model has no token with which the JSON could go on");
        }
        return may;
    }

    private void collect(TokenTexts.Node node, Grammar.State state, BitSet may) {
        node.tokens.forEach(may::set);
        node.next.forEach((c, next) -> {
            Grammar.State after = grammar.advance(state, c);
            if (!after.isDead()) {
                collect(next, after, may);
            }
        });
    }
}
