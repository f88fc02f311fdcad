package dev.outpost.models.constraint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.types.OutpostException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.junit.jupiter.api.Test;

/** Compares the automaton over tokens with one that is computed token by token, and checks the limits of the compilation. */
class ConstraintCompilerTest {
    private static final int END = 0;

    private static Automaton expression(String expression) {
        // Few characters, so that few of them have begun in the reference.
        Automaton few = Operations.repeat(Automata.makeCharRange(0, 0xFFF));
        return Operations.determinize(Operations.intersection(new RegExp(expression).toAutomaton(), few), 10_000);
    }

    /** Returns random tokens. Some are equal, some are parts of characters, and some have no text. */
    private static byte[][] tokens(Random random, int count, boolean hasAllBytes) {
        byte[][] tokens = new byte[count][];
        for (int token = 1; token < count; token++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(5); length >= 0; length--) {
                text.appendCodePoint(random.nextInt(4) == 0 ? 0xE0 + random.nextInt(0x200) : 'a' + random.nextInt(4));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            int begin = random.nextInt(5) == 0 ? random.nextInt(bytes.length) : 0;
            tokens[token] = random.nextInt(20) == 0
                    ? null
                    : hasAllBytes && token <= 256
                            ? new byte[] {(byte) (token - 1)}
                            : Arrays.copyOfRange(bytes, begin, bytes.length);
        }
        return tokens;
    }

    /** The state of the automaton over characters, and the bytes of a character that has begun. */
    private record Position(int state, List<Byte> begun) {}

    /** An automaton over tokens that decodes each token in each state. Nothing is shared between tokens. */
    private static final class Reference {
        private static final int DEAD = -1;
        private final Automaton characters;
        private final byte[][] tokens;
        private final Map<Position, Integer> numbers = new HashMap<>();
        private final List<Position> positions = new ArrayList<>();
        private final Map<Integer, Integer> tokensToEnd = new HashMap<>();

        Reference(Automaton characters, byte[][] tokens) {
            this.characters = characters;
            number(new Position(0, List.of()));
            this.tokens = tokens;
            Map<Integer, Set<Integer>> before = new HashMap<>();
            Set<Integer> seen = new HashSet<>(Set.of(0));
            Deque<Integer> queue = new ArrayDeque<>(seen);
            while (!queue.isEmpty()) {
                int state = queue.remove();
                for (int token = 1; token < tokens.length; token++) {
                    int behind = step(state, token);
                    if (behind != DEAD) {
                        before.computeIfAbsent(behind, unseen -> new HashSet<>())
                                .add(state);
                        if (seen.add(behind)) {
                            queue.add(behind);
                        }
                    }
                }
            }
            // All states from which the end is reached have a distance before the final distances are computed.
            spread(before, seen.stream().filter(this::mayEnd).toList(), List.of());
            List<Integer> whole = tokensToEnd.keySet().stream()
                    .filter(state -> mayEnd(state) && !hasTokens(state))
                    .toList();
            List<Integer> others = tokensToEnd.keySet().stream()
                    .filter(state -> mayEnd(state) && hasTokens(state))
                    .toList();
            tokensToEnd.clear();
            spread(before, whole, others);
        }

        private void spread(Map<Integer, Set<Integer>> before, List<Integer> first, List<Integer> second) {
            first.forEach(state -> tokensToEnd.put(state, 0));
            second.forEach(state -> tokensToEnd.put(state, 1));
            Deque<Integer> queue = new ArrayDeque<>(first);
            queue.addAll(second);
            while (!queue.isEmpty()) {
                int state = queue.remove();
                for (int from : before.getOrDefault(state, Set.of())) {
                    if (tokensToEnd.putIfAbsent(from, tokensToEnd.get(state) + 1) == null) {
                        queue.add(from);
                    }
                }
            }
        }

        private boolean hasTokens(int state) {
            for (int token = 1; token < tokens.length; token++) {
                if (tokensToEnd.containsKey(step(state, token))) {
                    return true;
                }
            }
            return false;
        }

        private int number(Position position) {
            return numbers.computeIfAbsent(position, unseen -> {
                positions.add(position);
                return positions.size() - 1;
            });
        }

        boolean mayEnd(int state) {
            Position position = positions.get(state);
            return position.begun.isEmpty() && characters.isAccept(position.state);
        }

        private int step(int state, int token) {
            if (tokens[token] == null) {
                return DEAD;
            }
            Position at = positions.get(state);
            for (byte one : tokens[token]) {
                at = step(at, one);
                if (at.state < 0) {
                    return DEAD;
                }
            }
            return number(at);
        }

        /** True if the bytes begin the UTF-8 of a character up to U+0FFF. */
        private static boolean isCharacterPossible(List<Byte> begun, int length) {
            boolean isSecondPossible =
                    begun.size() < 2 || (begun.get(1) & 0xFF) >= 0xA0 && (begun.get(1) & 0xFF) < 0xC0;
            return length == 2 && (begun.getFirst() & 0xFF) >= 0xC2
                    || length == 3 && (begun.getFirst() & 0xFF) == 0xE0 && isSecondPossible;
        }

        private Position step(Position from, byte one) {
            List<Byte> begun = new ArrayList<>(from.begun);
            begun.add(one);
            int length = Math.max(1, Integer.numberOfLeadingZeros(~(begun.getFirst() << 24)));
            if (begun.size() < length) {
                return new Position(isCharacterPossible(begun, length) ? from.state : DEAD, begun);
            }
            byte[] bytes = new byte[length];
            for (int place = 0; place < length; place++) {
                bytes[place] = begun.get(place);
            }
            try {
                String text = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
                return new Position(characters.step(from.state, text.codePointAt(0)), List.of());
            } catch (CharacterCodingException ignored) {
                // Not UTF-8.
                return new Position(DEAD, List.of());
            }
        }

        /** Returns the state after a token; negative if it is not allowed. */
        int after(int state, int token) {
            int behind = step(state, token);
            return tokensToEnd.containsKey(behind) ? behind : DEAD;
        }
    }

    private record Pair(int expected, int actual) {}

    private static void compare(Automaton characters, byte[][] tokens) {
        Reference reference = new Reference(characters, tokens);
        ConstraintCompiler compiler = new ConstraintCompiler(tokens, Set.of(END));
        if (!reference.tokensToEnd.containsKey(0)) {
            assertThrows(OutpostException.class, () -> compiler.compile(characters));
            return;
        }
        TokenConstraint constraint = compiler.compile(characters);
        // Equivalent states may be one state in one of the automata and two in the other, so pairs are compared.
        Set<Pair> pairs = new LinkedHashSet<>(Set.of(new Pair(0, 0)));
        List<Pair> queue = new ArrayList<>(pairs);
        for (int place = 0; place < queue.size(); place++) {
            int expected = queue.get(place).expected;
            int actual = queue.get(place).actual;
            assertEquals(reference.tokensToEnd.get(expected), constraint.tokensToEnd(actual));
            assertEquals(reference.mayEnd(expected), constraint.after(actual, END) >= 0);
            assertEquals(!reference.hasTokens(expected), constraint.isWhole(actual));
            for (int token = 1; token < tokens.length; token++) {
                int expectedBehind = reference.after(expected, token);
                int actualBehind = constraint.after(actual, token);
                assertEquals(expectedBehind >= 0, actualBehind >= 0);
                Pair behind = new Pair(expectedBehind, actualBehind);
                if (expectedBehind >= 0 && pairs.add(behind)) {
                    queue.add(behind);
                }
            }
        }
        for (int token = 1; token < tokens.length; token++) {
            for (int other = 1; other < token; other++) {
                assertEquals(isSame(constraint, token, other), constraint.classOf(token) == constraint.classOf(other));
            }
        }
    }

    private static boolean isSame(TokenConstraint constraint, int token, int other) {
        for (int state = 0; state < constraint.states(); state++) {
            if (constraint.after(state, token) != constraint.after(state, other)) {
                return false;
            }
        }
        return true;
    }

    @Test
    void allTokensHaveTheStateAfterTheirBytes() {
        Random random = new Random(5);
        for (String expression : List.of(
                "a*",
                "(ab|c)*d",
                "[a-c]{2,5}",
                "a",
                ".{1,4}",
                "[^a]*[à-ÿ]{3}",
                "(a|é)*é.{2}",
                "aaaa|bbb|cc",
                "d*[ā-ȟ]")) {
            for (int time = 0; time < 2; time++) {
                compare(expression(expression), tokens(random, 60, false));
            }
            compare(expression(expression), tokens(random, 300, true));
        }
    }

    private static byte[][] allBytes() {
        byte[][] tokens = new byte[257][];
        for (int one = 0; one < 256; one++) {
            tokens[one + 1] = new byte[] {(byte) one};
        }
        return tokens;
    }

    /** Each token of a long run of equal characters leads to another state, so the entries grow with states times tokens. */
    @Test
    void moreEntriesThanTheLimitAreRefused() {
        byte[][] tokens = allBytes();
        byte[][] more = Arrays.copyOf(tokens, 1500);
        for (int token = tokens.length; token < more.length; token++) {
            more[token] = "a".repeat(token - tokens.length + 2).getBytes(StandardCharsets.UTF_8);
        }
        Automaton chain = new Automaton();
        chain.createState();
        for (int state = 0; state < 20_000; state++) {
            chain.addTransition(state, chain.createState(), 'a', 'a');
        }
        chain.setAccept(20_000, true);
        chain.finishState();
        ConstraintCompiler compiler = new ConstraintCompiler(more, Set.of(END));
        String message = assertThrows(OutpostException.class, () -> compiler.compile(chain))
                .getMessage();
        assertTrue(message.startsWith("constraint: the schema or expression is too large: "), message);
    }

    @Test
    void stepsAreLimited() {
        ByteAutomaton bytes = ByteStates.of(expression("[a-z]{1,200}"), () -> false);
        ConstraintCompiler compiler = new ConstraintCompiler(allBytes(), Set.of(END));
        Effort effort = ConstraintCompiler.effort(() -> false);
        compiler.compile(bytes, effort);
        assertTrue(effort.spent() < 10_000, () -> effort.spent() + " steps");
        effort.spend((1 << 26) - effort.spent());
        String message = assertThrows(OutpostException.class, () -> {
                    for (int time = 0; time < 10; time++) {
                        compiler.compile(bytes, effort);
                    }
                })
                .getMessage();
        assertTrue(message.startsWith("constraint: the schema or expression is too large: "), message);
    }

    @Test
    void aCancelledCompilationOfTokensEnds() {
        AtomicInteger questions = new AtomicInteger();
        ByteAutomaton bytes = ByteStates.of(expression("[^a]{1,2000}"), () -> false);
        ConstraintCompiler compiler = new ConstraintCompiler(allBytes(), Set.of(END));
        Effort effort = ConstraintCompiler.effort(() -> questions.incrementAndGet() == 5);
        assertThrows(CompilationCancelledException.class, () -> compiler.compile(bytes, effort));
        assertEquals(5, questions.get());
    }

    @Test
    void equalFunctionsAreStoredOnce() {
        StateFunctions functions = new StateFunctions(1000, Effort.unlimited());
        int shift = functions.of(new int[] {0, 1, 2}, new int[] {1, 2, 3});
        assertEquals(shift, functions.of(new int[] {0, 1, 2}, new int[] {1, 2, 3}));
        int twice = functions.composed(shift, functions.dense(shift, 4));
        assertArrayEquals(new int[] {0, 1}, functions.domain(twice));
        assertArrayEquals(new int[] {2, 3}, functions.values(twice));
        int four = functions.composed(twice, functions.dense(twice, 4));
        assertEquals(StateFunctions.EMPTY, four);
        for (int value = 0; value < 300; value++) {
            int function = functions.of(new int[] {value}, new int[] {value});
            assertEquals(function, functions.of(new int[] {value}, new int[] {value}));
        }
        assertEquals(303, functions.count());
    }
}
