package dev.outpost.models.constraint;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.lucene.util.automaton.Automaton;
import org.jspecify.annotations.Nullable;

/**
 * Compiles an automaton over characters to one over tokens (Willard and Louf, 2023). The state after a token is the state after its bytes.
 * A token is not allowed if no sequence of tokens after it reaches the end. Tokens that end a text are allowed in accepting states.
 * Tokens with the same function from states to states are one class. Thread-safe.
 */
public final class ConstraintCompiler {
    private static final int MAX_STATES = 40_000;
    /** The maximum of states times classes. The machine stores an int32 for each. */
    private static final int MAX_ENTRIES = 1 << 24;
    /** The maximum number of steps of a compilation. A step takes some nanoseconds. */
    private static final long MAX_STEPS = 1 << 26;

    /** The class of tokens that are never allowed. */
    private static final int NEVER = 0;
    /** The class of the tokens that end a text. */
    private static final int ENDS = 1;
    /** The number of the first class that belongs to a function. */
    private static final int FIRST_CLASS = 2;

    private final TokenTree tokens;
    private final int vocabulary;
    private final Set<Integer> ends;

    public ConstraintCompiler(byte[] @Nullable [] tokens, Set<Integer> ends) {
        this.vocabulary = tokens.length;
        this.ends = ends;
        if (ends.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "constraint: the model has no token that ends a text");
        }
        this.tokens = new TokenTree(tokens, ends);
    }

    public TokenConstraint compile(Automaton characters) {
        return compile(characters, () -> false);
    }

    /** @param isCancelled polled by the calling thread; once it returns true, {@link CompilationCancelledException} is thrown */
    public TokenConstraint compile(Automaton characters, BooleanSupplier isCancelled) {
        ByteAutomaton bytes = ByteStates.of(characters, isCancelled);
        return compile(bytes, effort(isCancelled));
    }

    static Effort effort(BooleanSupplier isCancelled) {
        return new Effort(
                MAX_STEPS,
                isCancelled,
                () -> new OutpostException(
                        FaultKind.USER,
                        "constraint: the schema or expression is too large: its tokens take more than " + MAX_STEPS
                                + " steps"));
    }

    TokenConstraint compile(ByteAutomaton bytes, Effort effort) {
        StateFunctions functions = new StateFunctions(MAX_ENTRIES, effort);
        int[] ofTokens = new TokenFunctions(tokens, vocabulary, bytes, functions).ofTokens();
        TokenGraph graph = new TokenGraph(bytes, functions, used(functions, ofTokens), effort);
        boolean[] useful = graph.useful();
        if (!useful[0]) {
            throw new OutpostException(FaultKind.USER, "constraint: no text of the model's tokens matches it");
        }
        boolean[] whole = graph.whole(useful);
        int[] states = indices(useful);
        if (states.length > MAX_STATES) {
            throw new OutpostException(
                    FaultKind.USER, "constraint: it has more than " + MAX_STATES + " states over tokens");
        }
        if (states.length == useful.length) {
            return table(functions, ofTokens, bytes, states, whole, graph.tokensToEnd(useful, whole), effort);
        }
        StateFunctions restricted = new StateFunctions(MAX_ENTRIES, effort);
        int[] ofTokensInUseful = restricted(functions, ofTokens, restricted, numbers(useful));
        return table(restricted, ofTokensInUseful, bytes, states, whole, graph.tokensToEnd(useful, whole), effort);
    }

    /** Returns the different functions of the tokens. */
    private static int[] used(StateFunctions functions, int[] ofTokens) {
        boolean[] isUsed = new boolean[functions.count()];
        for (int function : ofTokens) {
            isUsed[function] = function != StateFunctions.EMPTY;
        }
        return indices(isUsed);
    }

    private static int[] indices(boolean[] values) {
        int[] indices = new int[values.length];
        int count = 0;
        for (int place = 0; place < values.length; place++) {
            if (values[place]) {
                indices[count++] = place;
            }
        }
        return Arrays.copyOf(indices, count);
    }

    /** Returns new numbers of the useful states; −1 for the others. */
    private static int[] numbers(boolean[] useful) {
        int[] numbers = new int[useful.length];
        int count = 0;
        for (int state = 0; state < useful.length; state++) {
            numbers[state] = useful[state] ? count++ : -1;
        }
        return numbers;
    }

    /** Copies the functions of the tokens with new numbers of states. Returns the new function of each token. */
    private static int[] restricted(StateFunctions functions, int[] ofTokens, StateFunctions to, int[] numbers) {
        int[] copies = new int[functions.count()];
        for (int function : used(functions, ofTokens)) {
            int[] domain = functions.domain(function);
            int[] values = functions.values(function);
            int[] states = new int[domain.length];
            int[] targets = new int[domain.length];
            int count = 0;
            for (int place = 0; place < domain.length; place++) {
                int target = numbers[values[place]];
                if (numbers[domain[place]] >= 0 && target >= 0) {
                    states[count] = numbers[domain[place]];
                    targets[count++] = target;
                }
            }
            copies[function] = to.of(Arrays.copyOf(states, count), Arrays.copyOf(targets, count));
        }
        return Arrays.stream(ofTokens).map(function -> copies[function]).toArray();
    }

    /**
     * Builds the table of states and classes. A last state follows the end of a text.
     *
     * @param states the number in the byte automaton of each state of the functions
     * @param whole for each state of the byte automaton, true if no token is allowed
     * @param tokensToEnd the number of tokens to the end, from each state of the byte automaton
     */
    private TokenConstraint table(
            StateFunctions functions,
            int[] ofTokens,
            ByteAutomaton bytes,
            int[] states,
            boolean[] whole,
            int[] tokensToEnd,
            Effort effort) {
        int over = states.length;
        int[] used = used(functions, ofTokens);
        int classes = FIRST_CLASS + used.length;
        if ((long) classes * (over + 1) > MAX_ENTRIES) {
            throw new OutpostException(
                    FaultKind.USER,
                    "constraint: the schema or expression is too large: " + (over + 1) + " states with " + classes
                            + " kinds of tokens are more than the " + MAX_ENTRIES + " entries that it may have");
        }
        int[] next = new int[(over + 1) * classes];
        Arrays.fill(next, -1);
        int[] classOfFunction = new int[functions.count()];
        for (int place = 0; place < used.length; place++) {
            int one = FIRST_CLASS + place;
            classOfFunction[used[place]] = one;
            int[] from = functions.domain(used[place]);
            int[] to = functions.values(used[place]);
            effort.spend(from.length);
            for (int pair = 0; pair < from.length; pair++) {
                next[from[pair] * classes + one] = to[pair];
            }
        }
        boolean[] isWhole = new boolean[over + 1];
        int[] distances = new int[over + 1];
        for (int state = 0; state < over; state++) {
            isWhole[state] = whole[states[state]];
            distances[state] = tokensToEnd[states[state]];
            if (bytes.mayEnd(states[state])) {
                next[state * classes + ENDS] = over;
            }
        }
        next[over * classes + ENDS] = over;
        isWhole[over] = true;
        classOfFunction[StateFunctions.EMPTY] = NEVER;
        int[] classOf = Arrays.stream(ofTokens)
                .map(function -> classOfFunction[function])
                .toArray();
        ends.forEach(end -> classOf[end] = ENDS);
        return new TokenConstraint(classOf, classes, next, isWhole, distances);
    }
}
