package dev.outpost.models.constraint;

import java.util.Arrays;

/**
 * The function of each token: the state after its bytes in each state that allows them. The prefix tree of the tokens
 * is visited once. A prefix with one more byte is a composition of two functions, and each composition is computed
 * once. So the work is much less than tokens times states: most prefixes have the same function as another prefix.
 * Not thread-safe.
 */
final class TokenFunctions {
    private static final int BYTES = 256;
    private static final long FREE = -1;

    private final StateFunctions functions;
    private final int[] ofTokens;
    /** The class of each byte. Bytes with the same function have the same class. */
    private final int[] classOf = new int[BYTES];

    private final int[] functionOfClass = new int[BYTES];
    /** For each class, the state after its bytes in each state. */
    private final int[][] next = new int[BYTES][];

    private int classes;

    // A hash table of the compositions: the key has the function and the class of the next byte.
    private long[] keys = new long[1 << 12];
    private int[] composed = new int[1 << 12];
    private int used;

    /** @param functions receives the functions of all prefixes */
    TokenFunctions(TokenTree tokens, int vocabulary, ByteAutomaton bytes, StateFunctions functions) {
        this.functions = functions;
        ofTokens = new int[vocabulary];
        Arrays.fill(keys, FREE);
        classifyBytes(bytes);
        visit(tokens);
    }

    /** Returns the function of each token. A token that is allowed nowhere has {@link StateFunctions#EMPTY}. */
    int[] ofTokens() {
        return ofTokens;
    }

    /** Returns the number of computed compositions. */
    int compositions() {
        return used;
    }

    private void classifyBytes(ByteAutomaton bytes) {
        int[] ofBytes = bytes.functions(functions);
        int[] classOfFunction = new int[BYTES + 1];
        Arrays.fill(classOfFunction, -1);
        for (int one = 0; one < BYTES; one++) {
            int function = ofBytes[one];
            if (classOfFunction[function] < 0) {
                next[classes] = functions.dense(function, bytes.states());
                functionOfClass[classes] = function;
                classOfFunction[function] = classes++;
            }
            classOf[one] = classOfFunction[function];
        }
    }

    private void visit(TokenTree tokens) {
        int[] path = new int[tokens.height()];
        int node = 0;
        while (node < tokens.nodes()) {
            int depth = tokens.depth(node);
            int one = classOf[tokens.lastByte(node)];
            int function = depth == 0 ? functionOfClass[one] : behind(path[depth - 1], one);
            if (function == StateFunctions.EMPTY) {
                node = tokens.end(node);
                continue;
            }
            path[depth] = function;
            tokens.forEachToken(node, token -> ofTokens[token] = function);
            node++;
        }
    }

    /** Returns the function of a prefix with one more byte. */
    private int behind(int function, int one) {
        long key = (long) function * BYTES + one;
        int slot = slot(key);
        if (keys[slot] == key) {
            return composed[slot];
        }
        int result = functions.composed(function, next[one]);
        keys[slot] = key;
        composed[slot] = result;
        if (2 * ++used > keys.length) {
            grow();
        }
        return result;
    }

    /** Returns the slot of a key, or the free slot where it belongs. */
    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = (int) (key * 0x9E3779B97F4A7C15L >>> 40) & mask;
        while (keys[slot] != FREE && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldComposed = composed;
        keys = new long[2 * oldKeys.length];
        composed = new int[keys.length];
        Arrays.fill(keys, FREE);
        for (int place = 0; place < oldKeys.length; place++) {
            if (oldKeys[place] != FREE) {
                int slot = slot(oldKeys[place]);
                keys[slot] = oldKeys[place];
                composed[slot] = oldComposed[place];
            }
        }
    }
}
