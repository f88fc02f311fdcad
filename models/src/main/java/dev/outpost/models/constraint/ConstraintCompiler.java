package dev.outpost.models.constraint;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
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
public final class ConstraintCompiler {
    private static final int MOST_WORK = 1_000_000;
    private static final int MOST_STATES = 20_000;
    /** Of states times classes, which the machine holds as int32. */
    private static final int MOST_ENTRIES = 1 << 24;

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
        Moves moves = moves(bytes(characters));
        boolean[] reaches = reaches(moves);
        if (!reaches[0]) {
            throw new OutpostException(FaultKind.USER, "constraint: no text of the model's tokens matches it");
        }
        moves.keepOnly(reaches);
        return build(moves);
    }

    private static ByteRunAutomaton bytes(Automaton characters) {
        try {
            return new ByteRunAutomaton(Operations.determinize(characters, MOST_WORK));
        } catch (TooComplexToDeterminizeException tooLarge) {
            throw new OutpostException(FaultKind.USER, "constraint: it has too many states to be used", tooLarge);
        }
    }

    /** The tokens that are allowed in each state, and the states behind them. */
    private static final class Moves {
        final List<int[]> allowed = new ArrayList<>();
        final List<int[]> behind = new ArrayList<>();
        final List<Boolean> mayEnd = new ArrayList<>();

        int states() {
            return allowed.size();
        }

        void keepOnly(boolean[] reaches) {
            for (int state = 0; state < states(); state++) {
                int[] to = behind.get(state);
                int[] token = allowed.get(state);
                int kept = 0;
                for (int place = 0; place < to.length; place++) {
                    if (reaches[to[place]]) {
                        to[kept] = to[place];
                        token[kept++] = token[place];
                    }
                }
                allowed.set(state, Arrays.copyOf(token, kept));
                behind.set(state, Arrays.copyOf(to, kept));
            }
        }
    }

    private Moves moves(ByteRunAutomaton bytes) {
        Moves moves = new Moves();
        Map<Integer, Integer> numbers = new HashMap<>(Map.of(0, 0));
        List<Integer> states = new ArrayList<>(List.of(0));
        TokenTree.Found found = new TokenTree.Found();
        for (int number = 0; number < states.size(); number++) {
            int state = states.get(number);
            found.clear();
            tokens.collect(bytes, state, found);
            int[] behind = new int[found.count()];
            for (int place = 0; place < behind.length; place++) {
                behind[place] = numbers.computeIfAbsent(found.state(place), unseen -> {
                    states.add(unseen);
                    return states.size() - 1;
                });
            }
            moves.allowed.add(found.tokens());
            moves.behind.add(behind);
            moves.mayEnd.add(bytes.isAccept(state));
            if (states.size() > MOST_STATES) {
                throw new OutpostException(
                        FaultKind.USER, "constraint: it has more than " + MOST_STATES + " states over tokens");
            }
        }
        return moves;
    }

    /** Whether a sequence of tokens leads to the end of the text from each state. */
    private static boolean[] reaches(Moves moves) {
        List<List<Integer>> before = new ArrayList<>();
        for (int state = 0; state < moves.states(); state++) {
            before.add(new ArrayList<>());
        }
        for (int state = 0; state < moves.states(); state++) {
            int from = state;
            Arrays.stream(moves.behind.get(state))
                    .distinct()
                    .forEach(to -> before.get(to).add(from));
        }
        boolean[] reaches = new boolean[moves.states()];
        List<Integer> left = new ArrayList<>();
        for (int state = 0; state < reaches.length; state++) {
            if (moves.mayEnd.get(state)) {
                reaches[state] = true;
                left.add(state);
            }
        }
        while (!left.isEmpty()) {
            for (int state : before.get(left.removeLast())) {
                if (!reaches[state]) {
                    reaches[state] = true;
                    left.add(state);
                }
            }
        }
        return reaches;
    }

    private TokenConstraint build(Moves moves) {
        int over = moves.states();
        int[] classOf = classes(moves);
        int classes = Arrays.stream(classOf).max().orElseThrow() + 1;
        if ((long) classes * (over + 1) > MOST_ENTRIES) {
            throw new OutpostException(
                    FaultKind.USER,
                    "constraint: " + (over + 1) + " states with " + classes + " kinds of tokens are more than the "
                            + MOST_ENTRIES + " entries that a constraint may have");
        }
        int[] next = new int[(over + 1) * classes];
        Arrays.fill(next, -1);
        boolean[] isWhole = new boolean[over + 1];
        for (int state = 0; state < over; state++) {
            int[] allowed = moves.allowed.get(state);
            for (int place = 0; place < allowed.length; place++) {
                next[state * classes + classOf[allowed[place]]] = moves.behind.get(state)[place];
            }
            isWhole[state] = allowed.length == 0;
        }
        isWhole[over] = true;
        for (int state = 0; state <= over; state++) {
            if (state == over || moves.mayEnd.get(state)) {
                for (int end : ends) {
                    next[state * classes + classOf[end]] = over;
                }
            }
        }
        return new TokenConstraint(classOf, classes, next, isWhole, tokensToEnd(next, classes, isWhole));
    }

    /** By breadth, from the states in which a text is whole backwards. */
    private static int[] tokensToEnd(int[] next, int classes, boolean[] isWhole) {
        int states = isWhole.length;
        List<List<Integer>> before = new ArrayList<>();
        for (int state = 0; state < states; state++) {
            before.add(new ArrayList<>());
        }
        for (int state = 0; state < states; state++) {
            int from = state;
            Arrays.stream(next, state * classes, (state + 1) * classes)
                    .filter(to -> to >= 0)
                    .distinct()
                    .forEach(to -> before.get(to).add(from));
        }
        int[] distance = new int[states];
        Arrays.fill(distance, Integer.MAX_VALUE);
        Deque<Integer> left = new ArrayDeque<>();
        for (int state = 0; state < states; state++) {
            if (isWhole[state]) {
                distance[state] = 0;
                left.add(state);
            }
        }
        while (!left.isEmpty()) {
            int to = left.remove();
            for (int from : before.get(to)) {
                if (distance[from] == Integer.MAX_VALUE) {
                    distance[from] = distance[to] + 1;
                    left.add(from);
                }
            }
        }
        return distance;
    }

    /** Splits classes until the tokens of each lead to the same states everywhere. Those that end a text are one. */
    private int[] classes(Moves moves) {
        int[] classOf = new int[vocabulary];
        ends.forEach(end -> classOf[end] = 1);
        int[] sizes = Arrays.copyOf(new int[] {vocabulary - ends.size(), ends.size()}, vocabulary + 2);
        int count = 2;
        for (int state = 0; state < moves.states(); state++) {
            int[] allowed = moves.allowed.get(state);
            int[] behind = moves.behind.get(state);
            Map<Long, List<Integer>> groups = new HashMap<>();
            for (int place = 0; place < allowed.length; place++) {
                groups.computeIfAbsent((long) classOf[allowed[place]] << 32 | behind[place], key -> new ArrayList<>())
                        .add(allowed[place]);
            }
            for (Map.Entry<Long, List<Integer>> group : groups.entrySet()) {
                int old = (int) (group.getKey() >> 32);
                // The last group of a class of which all members moved keeps its number.
                if (group.getValue().size() < sizes[old]) {
                    sizes[old] -= group.getValue().size();
                    sizes[count] = group.getValue().size();
                    for (int token : group.getValue()) {
                        classOf[token] = count;
                    }
                    count++;
                }
            }
        }
        return classOf;
    }
}
