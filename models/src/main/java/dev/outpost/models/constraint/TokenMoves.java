package dev.outpost.models.constraint;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The allowed tokens in each state of an automaton over bytes, and the states after them. In a uniform state the plain tokens of one
 * length share one entry. State 0 is the start. For one thread.
 */
final class TokenMoves {
    private static final int[] NOTHING = {};

    private final ByteAutomaton bytes;
    private final TokenTree tokens;
    /** The number of each state of the byte automaton; −1 until it is reached. */
    private final int[] numbers;

    private final List<Integer> byteStates = new ArrayList<>();
    private final List<int[]> allowed = new ArrayList<>();
    private final List<int[]> behind = new ArrayList<>();
    /** For each state, the states after plain tokens by length; empty for a state that is not uniform. */
    private final List<int[]> behindPlain = new ArrayList<>();

    private final List<int[]> targets = new ArrayList<>();

    private final int[] path;
    private int[] foundTokens = new int[1024];
    private int[] foundStates = new int[1024];
    private int found;
    /** For each state, the mark of the last call of {@link #distinct} that saw it. */
    private int[] seenBy = new int[1024];

    TokenMoves(TokenTree tokens, ByteAutomaton bytes, int maxStates, BooleanSupplier isCancelled) {
        this.tokens = tokens;
        this.bytes = bytes;
        numbers = new int[bytes.states()];
        Arrays.fill(numbers, -1);
        path = new int[1 + Math.max(tokens.all().height, tokens.notPlain().height)];
        number(0);
        for (int state = 0; state < byteStates.size(); state++) {
            if (isCancelled.getAsBoolean()) {
                throw new CompilationCancelledException();
            }
            explore(byteStates.get(state));
            if (byteStates.size() > maxStates) {
                throw new OutpostException(
                        FaultKind.USER, "constraint: it has more than " + maxStates + " states over tokens");
            }
        }
    }

    private int number(int byteState) {
        if (numbers[byteState] < 0) {
            numbers[byteState] = byteStates.size();
            byteStates.add(byteState);
        }
        return numbers[byteState];
    }

    private void explore(int byteState) {
        found = 0;
        boolean isUniform = bytes.isUniform(byteState);
        int[] plain = isUniform ? plain(byteState) : NOTHING;
        walk(isUniform ? tokens.notPlain() : tokens.all(), byteState);
        allowed.add(Arrays.copyOf(foundTokens, found));
        behind.add(Arrays.copyOf(foundStates, found));
        behindPlain.add(plain);
        targets.add(distinct(allowed.size(), plain, foundStates, found));
    }

    private int[] plain(int byteState) {
        int[] states = new int[TokenTree.MAX_PLAIN + 1];
        Arrays.fill(states, -1);
        int at = byteState;
        for (int length = 1; length < states.length; length++) {
            at = at < 0 ? at : bytes.behindPlain(at);
            states[length] = at < 0 || tokens.plain(length).length == 0 ? -1 : number(at);
        }
        return states;
    }

    private void walk(TokenTree.Nodes nodes, int byteState) {
        path[0] = byteState;
        for (int one = 0; one < nodes.roots.length; one++) {
            if (nodes.roots[one] >= 0 && bytes.step(byteState, one) >= 0) {
                walkFrom(nodes, nodes.roots[one]);
            }
        }
    }

    /** Goes through the subtree of a node. The path has the state in front of it. */
    private void walkFrom(TokenTree.Nodes nodes, int root) {
        int node = root;
        int end = nodes.ends[root];
        while (node < end) {
            int depth = nodes.depths[node];
            int state = bytes.step(path[depth], nodes.bytes[node] & 0xFF);
            if (state < 0) {
                node = nodes.ends[node];
                continue;
            }
            path[depth + 1] = state;
            int last = nodes.indices[node + 1];
            for (int place = nodes.indices[node]; place < last; place++) {
                add(nodes.tokens[place], number(state));
            }
            node++;
        }
    }

    private void add(int token, int state) {
        if (found == foundTokens.length) {
            foundTokens = Arrays.copyOf(foundTokens, 2 * found);
            foundStates = Arrays.copyOf(foundStates, 2 * found);
        }
        foundTokens[found] = token;
        foundStates[found++] = state;
    }

    /** @param mark a number that differs in each call */
    private int[] distinct(int mark, int[] plain, int[] states, int count) {
        int[] distinct = new int[8];
        int size = 0;
        for (int place = 0; place < count + plain.length; place++) {
            int state = place < count ? states[place] : plain[place - count];
            if (state >= seenBy.length) {
                seenBy = Arrays.copyOf(seenBy, Math.max(2 * seenBy.length, state + 1));
            }
            if (state >= 0 && seenBy[state] != mark) {
                seenBy[state] = mark;
                if (size == distinct.length) {
                    distinct = Arrays.copyOf(distinct, 2 * size);
                }
                distinct[size++] = state;
            }
        }
        return Arrays.copyOf(distinct, size);
    }

    int states() {
        return byteStates.size();
    }

    boolean mayEnd(int state) {
        return bytes.mayEnd(byteStates.get(state));
    }

    /** Returns the allowed tokens, except for plain tokens that {@link #behindPlain} covers. */
    int[] allowed(int state) {
        return allowed.get(state);
    }

    int[] behind(int state) {
        return behind.get(state);
    }

    /**
     * Returns the states after plain tokens by length; −1 if they are not allowed. Returns an empty array if {@link #allowed} lists the
     * plain tokens.
     */
    int[] behindPlain(int state) {
        return behindPlain.get(state);
    }

    /** Returns the distinct states after all allowed tokens. */
    int[] targets(int state) {
        return targets.get(state);
    }

    /** Returns the predecessors of each state. */
    static int[][] reversed(List<int[]> targets) {
        int[] sizes = new int[targets.size()];
        for (int[] some : targets) {
            for (int target : some) {
                sizes[target]++;
            }
        }
        int[][] reversed = new int[targets.size()][];
        Arrays.setAll(reversed, state -> new int[sizes[state]]);
        for (int state = 0; state < reversed.length; state++) {
            for (int target : targets.get(state)) {
                reversed[target][--sizes[target]] = state;
            }
        }
        return reversed;
    }

    /** Returns true for each state from which a sequence of tokens reaches the end of the text. */
    boolean[] reaches() {
        int[][] before = reversed(targets);
        boolean[] reaches = new boolean[states()];
        int[] queue = new int[states()];
        int last = 0;
        for (int state = 0; state < reaches.length; state++) {
            if (mayEnd(state)) {
                reaches[state] = true;
                queue[last++] = state;
            }
        }
        for (int place = 0; place < last; place++) {
            for (int from : before[queue[place]]) {
                if (!reaches[from]) {
                    reaches[from] = true;
                    queue[last++] = from;
                }
            }
        }
        return reaches;
    }

    private static boolean areAll(int[] states, boolean[] reaches) {
        for (int state : states) {
            if (!reaches[state]) {
                return false;
            }
        }
        return true;
    }

    void keepOnly(boolean[] reaches) {
        for (int state = 0; state < reaches.length; state++) {
            if (areAll(targets.get(state), reaches)) {
                continue;
            }
            int[] token = allowed.get(state);
            int[] to = behind.get(state);
            int kept = 0;
            for (int place = 0; place < to.length; place++) {
                if (reaches[to[place]]) {
                    to[kept] = to[place];
                    token[kept++] = token[place];
                }
            }
            allowed.set(state, Arrays.copyOf(token, kept));
            behind.set(state, Arrays.copyOf(to, kept));
            int[] plain = behindPlain.get(state);
            for (int length = 0; length < plain.length; length++) {
                plain[length] = plain[length] >= 0 && !reaches[plain[length]] ? -1 : plain[length];
            }
            targets.set(
                    state,
                    Arrays.stream(targets.get(state))
                            .filter(target -> reaches[target])
                            .toArray());
        }
    }
}
