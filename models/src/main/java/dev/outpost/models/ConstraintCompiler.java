package dev.outpost.models;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * From an automaton over characters to one over tokens (Willard and Louf, 2023): the state behind a token is the one behind its
 * bytes. Tokens from which the end cannot be reached are not allowed, and what ends a text is allowed where it may end.
 */
final class ConstraintCompiler {
    private static final int MOST_WORK = 1_000_000;
    private static final int MOST_STATES = 20_000;

    private final byte[] @Nullable [] tokens;
    private final Set<Integer> ends;

    ConstraintCompiler(byte[] @Nullable [] tokens, Set<Integer> ends) {
        this.tokens = tokens;
        this.ends = ends;
        if (ends.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "constraint: the model has no token that ends a text");
        }
    }

    TokenConstraint compile(Automaton characters) {
        ByteRunAutomaton bytes;
        try {
            bytes = new ByteRunAutomaton(Operations.determinize(characters, MOST_WORK));
        } catch (TooComplexToDeterminizeException tooLarge) {
            throw new OutpostException(FaultKind.USER, "constraint: it has too many states to be used", tooLarge);
        }
        Map<Integer, Integer> numbers = new HashMap<>(Map.of(0, 0));
        List<Integer> states = new ArrayList<>(List.of(0));
        List<int[]> next = new ArrayList<>();
        for (int number = 0; number < states.size(); number++) {
            int[] row = new int[tokens.length];
            for (int token = 0; token < row.length; token++) {
                int behind = behind(bytes, states.get(number), tokens[token]);
                row[token] = behind < 0
                        ? -1
                        : numbers.computeIfAbsent(behind, found -> {
                            states.add(found);
                            return states.size() - 1;
                        });
            }
            next.add(row);
            if (states.size() > MOST_STATES) {
                throw new OutpostException(
                        FaultKind.USER, "constraint: it has more than " + MOST_STATES + " states over tokens");
            }
        }
        int over = states.size();
        boolean[] mayEnd = new boolean[over + 1];
        for (int number = 0; number < over; number++) {
            mayEnd[number] = bytes.isAccept(states.get(number));
        }
        mayEnd[over] = true;
        int[] behindTheEnd = new int[tokens.length];
        Arrays.fill(behindTheEnd, -1);
        next.add(behindTheEnd);
        int[][] all = next.toArray(int[][]::new);
        for (int state = 0; state <= over; state++) {
            for (int end : ends) {
                all[state][end] = mayEnd[state] ? over : -1;
            }
        }
        prune(all);
        return new TokenConstraint(all);
    }

    private static int behind(ByteRunAutomaton bytes, int from, byte @Nullable [] token) {
        if (token == null) {
            return -1;
        }
        int state = from;
        for (int place = 0; place < token.length && state >= 0; place++) {
            state = bytes.step(state, token[place] & 0xFF);
        }
        return state;
    }

    /** Drops tokens behind which no sequence of tokens reaches the end. */
    private static void prune(int[][] next) {
        boolean[] reaches = new boolean[next.length];
        reaches[next.length - 1] = true;
        for (boolean isChanged = true; isChanged; ) {
            isChanged = false;
            for (int state = next.length - 2; state >= 0; state--) {
                if (!reaches[state] && Arrays.stream(next[state]).anyMatch(to -> to >= 0 && reaches[to])) {
                    reaches[state] = true;
                    isChanged = true;
                }
            }
        }
        if (!reaches[0]) {
            throw new OutpostException(FaultKind.USER, "constraint: no text of the model's tokens matches it");
        }
        for (int[] row : next) {
            for (int token = 0; token < row.length; token++) {
                row[token] = row[token] >= 0 && reaches[row[token]] ? row[token] : -1;
            }
        }
    }
}
