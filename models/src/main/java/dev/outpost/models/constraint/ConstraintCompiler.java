package dev.outpost.models.constraint;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.lucene.util.automaton.Automaton;
import org.jspecify.annotations.Nullable;

/**
 * Compiles an automaton over characters to one over tokens (Willard and Louf, 2023). The state after a token is the state after its bytes.
 * A token is not allowed if no sequence of tokens after it reaches the end. Tokens that end a text are allowed in accepting states.
 * Thread-safe.
 */
public final class ConstraintCompiler {
    private static final int MAX_STATES = 40_000;
    /** Of states times classes, which the machine holds as int32. */
    private static final int MAX_ENTRIES = 1 << 24;

    private final TokenTree tokens;
    private final int vocabulary;
    private final Set<Integer> ends;

    public ConstraintCompiler(byte[] @Nullable [] tokens, Set<Integer> ends) {
        this.vocabulary = tokens.length;
        this.ends = ends;
        if (ends.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "constraint: the model has no token that ends a text");
        }
        this.tokens = TokenTree.of(tokens, ends);
    }

    public TokenConstraint compile(Automaton characters) {
        return compile(characters, () -> false);
    }

    /** @param isCancelled polled by the calling thread; once it returns true, {@link CompilationCancelledException} is thrown */
    public TokenConstraint compile(Automaton characters, BooleanSupplier isCancelled) {
        TokenMoves moves = new TokenMoves(tokens, ByteStates.of(characters, isCancelled), MAX_STATES, isCancelled);
        boolean[] reaches = moves.reaches();
        if (!reaches[0]) {
            throw new OutpostException(FaultKind.USER, "constraint: no text of the model's tokens matches it");
        }
        moves.keepOnly(reaches);
        return build(moves, isCancelled);
    }

    private TokenConstraint build(TokenMoves moves, BooleanSupplier isCancelled) {
        int over = moves.states();
        TokenClasses classes = new TokenClasses(vocabulary, ends, tokens, moves, MAX_ENTRIES / (over + 1), isCancelled);
        int count = classes.count();
        if ((long) count * (over + 1) > MAX_ENTRIES) {
            throw new OutpostException(
                    FaultKind.USER,
                    "constraint: " + (over + 1) + " states with " + count
                            + " or more kinds of tokens are more than the " + MAX_ENTRIES
                            + " entries that a constraint may have");
        }
        int[] next = new int[(over + 1) * count];
        Arrays.fill(next, -1);
        boolean[] isWhole = new boolean[over + 1];
        for (int state = 0; state < over; state++) {
            if (state % 64 == 0 && isCancelled.getAsBoolean()) {
                throw new CompilationCancelledException();
            }
            isWhole[state] = classes.fill(moves, state, next, state * count) == 0;
        }
        isWhole[over] = true;
        for (int state = 0; state <= over; state++) {
            if (state == over || moves.mayEnd(state)) {
                next[state * count + TokenClasses.ENDS] = over;
            }
        }
        return new TokenConstraint(classes.ofTokens(), count, next, isWhole, tokensToEnd(moves, isWhole));
    }

    /** By breadth, from the states in which a text is whole backwards. */
    private static int[] tokensToEnd(TokenMoves moves, boolean[] isWhole) {
        int states = isWhole.length;
        int over = states - 1;
        List<int[]> targets = new ArrayList<>();
        for (int state = 0; state < over; state++) {
            int[] own = moves.targets(state);
            if (moves.mayEnd(state)) {
                own = Arrays.copyOf(own, own.length + 1);
                own[own.length - 1] = over;
            }
            targets.add(own);
        }
        targets.add(new int[0]);
        int[][] before = TokenMoves.reversed(targets);
        int[] distance = new int[states];
        Arrays.fill(distance, Integer.MAX_VALUE);
        int[] queue = new int[states];
        int last = 0;
        for (int state = 0; state < states; state++) {
            if (isWhole[state]) {
                distance[state] = 0;
                queue[last++] = state;
            }
        }
        for (int place = 0; place < last; place++) {
            for (int from : before[queue[place]]) {
                if (distance[from] == Integer.MAX_VALUE) {
                    distance[from] = distance[queue[place]] + 1;
                    queue[last++] = from;
                }
            }
        }
        return distance;
    }
}
