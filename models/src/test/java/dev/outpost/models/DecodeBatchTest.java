package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts join and leave a batch at any step, and none changes what another one says. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DecodeBatchTest {
    private static final JsonNode EXPECTED = Fixtures.expected("llama");
    private static final int[] PROMPT = Fixtures.ids(EXPECTED.get("prompt"));
    private static final int[] SHORTER = Fixtures.ids(EXPECTED.get("short_prompt"));
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(12).ignoreEnd();

    private RemoteMachine machine;
    private CausalLM model;

    @BeforeAll
    void load() {
        machine = Fixtures.machine();
        model = CausalLM.load(machine, Fixtures.uri("llama"));
    }

    @AfterAll
    void close() {
        model.close();
        machine.close();
    }

    private static List<DecodeBatch.Token> runToEnd(DecodeBatch batch, int ahead) {
        Deque<DecodeBatch.Step> steps = new ArrayDeque<>();
        List<DecodeBatch.Token> all = new ArrayList<>();
        while (batch.isBusy()) {
            while (steps.size() < ahead) {
                steps.add(batch.step());
            }
            all.addAll(steps.remove().await());
        }
        return all;
    }

    private static int[] ids(DecodeBatch.Text text) {
        return text.tokens().stream().mapToInt(Integer::intValue).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "gpt2", "gemma3", "smollm3"})
    void textsThatJoinAtDifferentStepsSayWhatTheySayAlone(String name) {
        JsonNode expected = Fixtures.expected(name);
        int[] prompt = Fixtures.ids(expected.get("prompt"));
        int[] shorter = Fixtures.ids(expected.get("short_prompt"));
        try (CausalLM own = CausalLM.load(machine, Fixtures.uri(name));
                DecodeBatch batch = own.batch(3, 40, -1)) {
            DecodeBatch.Text first = batch.join(prompt, GREEDY);
            for (int step = 0; step < 5; step++) {
                batch.step().await();
            }
            DecodeBatch.Text second = batch.join(shorter, GREEDY);
            batch.step().await();
            DecodeBatch.Text third = batch.join(prompt, GREEDY);
            runToEnd(batch, 4);
            assertArrayEquals(Fixtures.ids(expected.get("greedy")), ids(first), () -> Arrays.toString(ids(first)));
            assertArrayEquals(Fixtures.ids(expected.get("short_greedy")), ids(second));
            assertArrayEquals(Fixtures.ids(expected.get("greedy")), ids(third));
            // Rows and pages are used again.
            DecodeBatch.Text fourth = batch.join(shorter, GREEDY);
            runToEnd(batch, 1);
            assertArrayEquals(Fixtures.ids(expected.get("short_greedy")), ids(fourth));
        }
    }

    @Test
    void eachTextHasItsOwnRule() {
        Sampling drawn = Sampling.temperature(1)
                .topK(20)
                .topP(0.9)
                .minP(0.01)
                .typicalP(0.9)
                .repetitionPenalty(1.1)
                .logitBias(7, 0.5)
                .maxTokens(12)
                .ignoreEnd();
        try (DecodeBatch batch = model.batch(4, 40, -1)) {
            DecodeBatch.Text greedy = batch.join(PROMPT, GREEDY);
            DecodeBatch.Text one = batch.join(PROMPT, drawn.seed(1));
            DecodeBatch.Text same = batch.join(PROMPT, drawn.seed(1));
            DecodeBatch.Text other = batch.join(PROMPT, drawn.seed(2));
            runToEnd(batch, 3);
            assertArrayEquals(Fixtures.ids(EXPECTED.get("greedy")), ids(greedy));
            assertArrayEquals(ids(one), ids(same));
            assertNotEquals(one.tokens(), other.tokens());
            // As one that is generated alone by the same seed.
            assertArrayEquals(model.generate(PROMPT, drawn.seed(1)).toEnd().getFirst(), ids(one));
        }
    }

    @Test
    void tokensComeWithTheirProbabilities() {
        try (DecodeBatch batch = model.batch(2, 40, 3)) {
            batch.join(PROMPT, GREEDY.maxTokens(1));
            DecodeBatch.Token token = runToEnd(batch, 1).getFirst();
            long[] ids = Arrays.stream(PROMPT).asLongStream().toArray();
            try (Tensor input = machine.tensor(ids, 1, ids.length);
                    Tensor logits = model.logits(input);
                    Tensor logs = logits.logSoftmax(-1)) {
                float[] all = logs.toFloatArray();
                int vocabulary = (int) logs.size(-1);
                float[] last = Arrays.copyOfRange(all, all.length - vocabulary, all.length);
                assertEquals(last[token.id()], token.logProb(), 1e-4);
                assertEquals(3, token.top().size());
                assertEquals(token.id(), token.top().getFirst().id());
                for (DecodeBatch.LogProb each : token.top()) {
                    assertEquals(last[each.id()], each.logProb(), 1e-4);
                }
                assertTrue(token.top().get(1).logProb() >= token.top().get(2).logProb());
            }
        }
    }

    /** A prompt of 40 tokens has two full pages behind which a token is left to compute. */
    @Test
    void aBeginningThatAnEarlierTextHadIsNotComputedAgain() {
        int[] prompt = new int[40];
        Arrays.setAll(prompt, place -> 3 + place % 50);
        try (CausalLM own = CausalLM.load(machine.open(Fixtures.uri("llama")), null, 320);
                DecodeBatch batch = own.batch(2, 60, -1)) {
            DecodeBatch.Text first = batch.join(prompt, GREEDY);
            DecodeBatch.Text sample = batch.join(prompt, GREEDY);
            runToEnd(batch, 2);
            assertEquals(0, first.sharedTokens());
            assertEquals(32, sample.sharedTokens());
            assertEquals(first.tokens(), sample.tokens());
            assertEquals(320, own.freeTokens());

            // The first page only.
            int[] other = prompt.clone();
            other[20] = 60;
            DecodeBatch.Text branch = batch.join(other, GREEDY);
            // What was said is remembered as well.
            int[] longer = Arrays.copyOf(prompt, 51);
            for (int place = 40; place < 51; place++) {
                longer[place] = first.tokens().get(place - 40);
            }
            DecodeBatch.Text next = batch.join(longer, GREEDY.maxTokens(1));
            runToEnd(batch, 2);
            assertEquals(16, branch.sharedTokens());
            assertEquals(48, next.sharedTokens());
            assertEquals(first.tokens().get(11), next.tokens().getFirst());
            assertArrayEquals(own.generate(other, GREEDY).toEnd().getFirst(), ids(branch));
            assertEquals(320, own.freeTokens());
        }
    }

    @Test
    void aTextThatLeavesFreesItsPagesAndItsRow() {
        try (CausalLM own = CausalLM.load(machine.open(Fixtures.uri("llama")), null, 48);
                DecodeBatch batch = own.batch(2, 40, -1)) {
            DecodeBatch.Text first = batch.join(PROMPT, GREEDY);
            assertFalse(batch.hasRoom(PROMPT.length, 12));
            String message = assertThrows(OutpostException.class, () -> batch.join(PROMPT, GREEDY))
                    .getMessage();
            assertTrue(message.startsWith("generate: 2 pages of 16 tokens are needed, and 1 of 3 are free"), message);
            DecodeBatch.Step under = batch.step();
            first.leave();
            assertTrue(batch.hasRoom(PROMPT.length, 12));
            assertEquals(List.of(), under.await());
            DecodeBatch.Text second = batch.join(PROMPT, GREEDY);
            runToEnd(batch, 2);
            assertArrayEquals(Fixtures.ids(EXPECTED.get("greedy")), ids(second));
        }
    }

    @Test
    void aCallThatDoesNotFitIsRefused() {
        try (DecodeBatch batch = model.batch(1, 20, -1)) {
            assertRefused("join: a prompt has no tokens", () -> batch.join(new int[0], GREEDY));
            assertRefused(
                    "join: texts of the batch have at most 20 tokens, and prompt and new tokens want 22",
                    () -> batch.join(PROMPT, GREEDY));
            assertRefused("join: expected tokens from 0 to 63, got 64", () -> batch.join(new int[] {64}, GREEDY));
            batch.join(SHORTER, GREEDY);
            assertRefused("join: all 1 rows of the batch are taken", () -> batch.join(SHORTER, GREEDY));
        }
    }

    private static void assertRefused(String message, org.junit.jupiter.api.function.Executable call) {
        assertEquals(message, assertThrows(OutpostException.class, call).getMessage());
    }
}
