package dev.outpost.models.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.types.OutpostException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.junit.jupiter.api.Test;

/** Checks the compilation of schemas for a large vocabulary: its cost, and that the automata over tokens and characters agree. */
class CompilationTest {
    private static final int VOCABULARY = 50_000;
    private static final int END = VOCABULARY - 1;
    private static final List<String> SCHEMAS = List.of(
            "{\"type\": \"object\"}",
            "{\"type\": \"object\", \"properties\": {\"NAME\": {\"type\": \"string\"}, \"age\": {\"type\": \"integer\", \"minimum\": 0,"
                    + " \"maximum\": 130}, \"tags\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}},"
                    + " \"required\": [\"NAME\", \"age\"], \"additionalProperties\": false}",
            "{\"type\": \"object\", \"properties\": {\"NAME\": {\"type\": \"string\", \"maxLength\": 200}},"
                    + " \"additionalProperties\": {\"type\": \"number\"}}",
            "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"array\", \"items\": {\"const\": \"NAME\"}}}",
            "{\"$ref\": \"#/$defs/node\", \"$defs\": {\"node\": {\"type\": \"object\", \"properties\": {\"NAME\": {\"type\": \"string\"},"
                    + " \"left\": {\"anyOf\": [{\"$ref\": \"#/$defs/node\"}, {\"type\": \"null\"}]},"
                    + " \"right\": {\"anyOf\": [{\"$ref\": \"#/$defs/node\"}, {\"type\": \"null\"}]}}}}}",
            "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"pattern\": \"^NAME: .{1,100}$\"}}",
            "{\"type\": \"array\", \"minItems\": 3, \"maxItems\": 20, \"items\": {\"type\": \"object\", \"properties\": {"
                    + "\"NAME\": {\"type\": \"string\", \"pattern\": \"^\\\\w+@\\\\w+$\"}, \"at\": {\"type\": \"string\","
                    + " \"format\": \"date-time\"}, \"kind\": {\"enum\": [\"one\", \"two\", 3, null]}}}}");

    private static byte[][] tokens() {
        Random random = new Random(7);
        Set<String> texts = new LinkedHashSet<>(List.of("\u2028", "a\u2028b", "\u2029", "\u2027\u202a"));
        String marks = "\"{}[]:,.-+ \\\n/";
        while (texts.size() < VOCABULARY - 1 - 256) {
            StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? " " : "");
            int kind = random.nextInt(20);
            for (int length = 1 + random.nextInt(kind == 0 ? 4 : 11); length > 0; length--) {
                text.append(
                        kind == 0
                                ? marks.charAt(random.nextInt(marks.length()))
                                : kind == 1
                                        ? (char) ('0' + random.nextInt(10))
                                        : kind == 2
                                                ? (char) (0x4E00 + random.nextInt(2000))
                                                : (char) ('a' + random.nextInt(26)));
            }
            texts.add(text.toString());
        }
        byte[][] tokens = new byte[VOCABULARY][];
        for (int one = 0; one < 256; one++) {
            tokens[one] = new byte[] {(byte) one};
        }
        int token = 256;
        for (String text : texts) {
            tokens[token++] = text.getBytes(StandardCharsets.UTF_8);
        }
        return tokens;
    }

    private static final byte[][] TOKENS = tokens();
    private static final ConstraintCompiler COMPILER = new ConstraintCompiler(TOKENS, Set.of(END));

    private static TokenConstraint compile(String schema) {
        return COMPILER.compile(JsonSchema.generated(schema, () -> false));
    }

    /** A walk over all tokens in each state would take 100 million steps for these schemas. The CPU time is only printed: the aim is 100 ms. */
    @Test
    void aNewSchemaDoesNotStepOverAllTokensForEachState() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        List<String> schemas = new ArrayList<>(SCHEMAS);
        schemas.add(pattern("^\\\\p{Lu}\\\\p{L}*( \\\\p{L}+)*$"));
        schemas.add(pattern("^\\\\w{1,50}$"));
        for (String schema : schemas) {
            // The first runs are slower, because the JVM still compiles the code.
            long min = Long.MAX_VALUE;
            long minOfTokens = Long.MAX_VALUE;
            long steps = 0;
            TokenConstraint constraint = null;
            for (int time = 0; time < 8; time++) {
                String fresh = schema.replace("NAME", "name" + time);
                Effort effort = ConstraintCompiler.effort(() -> false);
                long begin = threads.getCurrentThreadCpuTime();
                ByteAutomaton bytes = ByteStates.of(JsonSchema.generated(fresh, () -> false), () -> false);
                long between = threads.getCurrentThreadCpuTime();
                constraint = COMPILER.compile(bytes, effort);
                long end = threads.getCurrentThreadCpuTime();
                min = Math.min(min, end - begin);
                minOfTokens = Math.min(minOfTokens, end - between);
                steps = effort.spent();
            }
            System.out.printf(
                    "%.1f ms of CPU time, %.1f of them for tokens, %d steps, %d states, %d classes: %s%n",
                    min / 1e6, minOfTokens / 1e6, steps, constraint.states(), constraint.classes(), schema);
            assertTrue(steps <= 1_500_000, steps + " steps for " + schema);
        }
    }

    private static String pattern(String pattern) {
        return "{\"type\": \"string\", \"pattern\": \"" + pattern + "\"}";
    }

    private static final List<String> OF_MANY_STATES = List.of(
            pattern("^\\\\p{L}{1,50}$"),
            pattern("^[\\\\p{L}\\\\p{N} .,'-]{1,100}$"),
            pattern("a.{12}b"),
            pattern("a.{16}b"),
            pattern("(a.{0,40}b){5}"),
            pattern("^(a|b)*a(a|b){20}$"),
            pattern("^((a{0,30}b?){0,30}c?){0,5}$"),
            pattern("a?".repeat(2000)),
            pattern("(a|b|ab)*".repeat(300)),
            pattern("(".repeat(20_000) + ")".repeat(20_000)),
            "{\"multipleOf\": 1000}",
            "{\"multipleOf\": 1999}",
            "{\"multipleOf\": 1e50}",
            "{\"multipleOf\": 1e300}",
            "{\"minimum\": -1e390, \"maximum\": 1e390}",
            IntStream.range(0, 2000)
                    .mapToObj(number -> "\"value number " + number + "\"")
                    .collect(Collectors.joining(", ", "{\"enum\": [", "]}")));

    /** Checks limits of time: usual schemas compile within 100 ms, bad schemas fail soon, and a cancelled compilation ends. */
    @Test
    void patternsAndNumbersOfManyStatesCostLittle() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (String schema : OF_MANY_STATES) {
            long min = Long.MAX_VALUE;
            String end = "";
            for (int time = 0; time < 3; time++) {
                long begin = threads.getCurrentThreadCpuTime();
                try {
                    JsonSchema.generated(schema, () -> false);
                    end = "enforced";
                } catch (OutpostException failure) {
                    end = failure.getMessage();
                    assertTrue(end.contains("too many states") || end.contains("deep"), end);
                }
                min = Math.min(min, threads.getCurrentThreadCpuTime() - begin);
            }
            String shown = schema.substring(0, Math.min(60, schema.length()));
            System.out.printf("%d ms of CPU time: %s: %.60s%n", min / 1_000_000, shown, end);
            assertTrue(min <= 1_000_000_000, min / 1_000_000 + " ms of CPU time: " + shown);
        }
    }

    /** Cancels a compilation at each of its checks in turn, and expects that it ends there. */
    @Test
    void aPatternOfManyStatesIsCancelled() {
        AtomicInteger questions = new AtomicInteger();
        assertThrows(
                CompilationCancelledException.class,
                () -> JsonSchema.generated(
                        pattern("^((a{0,30}b?){0,30}c?){0,5}$"), () -> questions.incrementAndGet() == 50));
        assertEquals(50, questions.get());
    }

    /** The automaton over tokens allows the tokens that the automaton over characters allows, and leads to the same states. */
    @Test
    void tokensAndCharactersAgree() {
        Random random = new Random(3);
        for (String schema : SCHEMAS) {
            Automaton characters = JsonSchema.generated(schema, () -> false);
            CharacterRunAutomaton whole = new CharacterRunAutomaton(Operations.determinize(characters, 10_000_000));
            TokenConstraint constraint = COMPILER.compile(characters);
            for (int text = 0; text < 5; text++) {
                StringBuilder bytes = new StringBuilder();
                int state = 0;
                int left = 60;
                while (!constraint.isWhole(state)) {
                    int token = next(constraint, state, --left, random);
                    state = constraint.after(state, token);
                    if (token == END) {
                        break;
                    }
                    for (byte one : TOKENS[token]) {
                        bytes.append((char) (one & 0xFF));
                    }
                }
                String json =
                        new String(bytes.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
                assertTrue(whole.run(json), json);
                assertTrue(allows(constraint, json), json);
            }
        }
    }

    private static int next(TokenConstraint constraint, int state, int left, Random random) {
        int begin = random.nextInt(VOCABULARY);
        int best = -1;
        for (int step = 0; step < VOCABULARY; step++) {
            int token = (begin + step) % VOCABULARY;
            int behind = constraint.after(state, token);
            if (behind >= 0) {
                boolean isNearer = best < 0
                        || constraint.tokensToEnd(behind) < constraint.tokensToEnd(constraint.after(state, best));
                best = isNearer ? token : best;
                if (constraint.tokensToEnd(behind) < left) {
                    return token;
                }
            }
        }
        return best;
    }

    /** Matches a text with tokens of one byte. */
    private static boolean allows(TokenConstraint constraint, String json) {
        int state = 0;
        for (byte one : json.getBytes(StandardCharsets.UTF_8)) {
            state = constraint.after(state, one & 0xFF);
            if (state < 0) {
                return false;
            }
        }
        return constraint.isWhole(state) || constraint.after(state, END) >= 0;
    }

    @Test
    void aCancelledCompilationEnds() {
        AtomicInteger questions = new AtomicInteger();
        assertThrows(
                CompilationCancelledException.class,
                () -> JsonSchema.generated(SCHEMAS.getFirst(), () -> questions.incrementAndGet() == 3));
        Automaton automaton = JsonSchema.generated(SCHEMAS.getFirst(), () -> false);
        questions.set(0);
        assertThrows(
                CompilationCancelledException.class,
                () -> COMPILER.compile(automaton, () -> questions.incrementAndGet() == 20));
        assertEquals(20, questions.get());
    }

    @Test
    void anAutomatonThatAcceptsNothingIsRefused() {
        Automaton withoutAWayToTheEnd = new Automaton();
        withoutAWayToTheEnd.createState();
        for (Automaton nothing : List.of(new Automaton(), withoutAWayToTheEnd, JsonSchema.automaton("false"))) {
            assertEquals(
                    "constraint: no text of the model's tokens matches it",
                    assertThrows(OutpostException.class, () -> COMPILER.compile(nothing))
                            .getMessage());
        }
    }

    /** A dot in a pattern matches no end of a line, also within a token. */
    @Test
    void separatorsOfLinesAreNoPlainCharacters() {
        TokenConstraint points = compile(pattern("^.{1,3}$"));
        TokenConstraint all = compile("{\"type\": \"string\", \"maxLength\": 3}");
        int inside = points.after(0, '"');
        int insideAll = all.after(0, '"');
        for (int token = 0; token < VOCABULARY - 1; token++) {
            String text = new String(TOKENS[token], StandardCharsets.UTF_8);
            if (text.contains("\u2028") || text.contains("\u2029")) {
                assertTrue(points.after(inside, token) < 0);
                assertTrue(all.after(insideAll, token) >= 0);
            }
            if (text.equals("\u2027\u202a")) {
                assertTrue(points.after(inside, token) >= 0);
            }
        }
    }

    @Test
    void wideTokensStayWithinBounds() {
        TokenConstraint constraint = compile("{\"type\": \"string\", \"minLength\": 2, \"maxLength\": 3}");
        assertTrue(allows(constraint, "\"日本\""));
        assertTrue(allows(constraint, "\"a\\\"🙂\""));
        assertFalse(allows(constraint, "\"a\""));
        assertFalse(allows(constraint, "\"abcd\""));
    }
}
