package dev.outpost.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.models.Sampling;
import dev.outpost.models.constraint.TokenConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each text of a batch has its own rule and constraint, and equals the text that is generated alone. */
class RulesTest {
    private static final JsonNode EXPECTED = BatchFixture.expected("llama");
    private static final int[] PROMPT = BatchFixture.ids(EXPECTED.get("prompt"));
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(12).ignoreEnd();
    private static final Sampling EVERYTHING = Sampling.temperature(1)
            .topK(20)
            .topP(0.9)
            .minP(0.01)
            .typicalP(0.9)
            .repetitionPenalty(1.1)
            .presencePenalty(0.2)
            .frequencyPenalty(0.1)
            .logitBias(7, 0.5)
            .maxTokens(12)
            .ignoreEnd();

    @Test
    void textsWithDifferentRulesDoNotChangeEachOther() throws Exception {
        try (BatchFixture fixture = new BatchFixture("llama", 256, 4, 64);
                BatchEngine engine =
                        new BatchEngine(fixture.runner, new BatchSettings(64, 16, 3), BatchListener.NONE)) {
            List<Sampling> rules = List.of(GREEDY, EVERYTHING.seed(1), EVERYTHING.seed(1), EVERYTHING.seed(2));
            List<Collected> texts = new ArrayList<>();
            for (Sampling rule : rules) {
                texts.add(new Collected());
                engine.submit(BatchRequest.of(PROMPT, rule, texts.getLast()));
            }
            assertArrayEquals(
                    BatchFixture.ids(EXPECTED.get("greedy")), texts.get(0).tokens());
            assertArrayEquals(texts.get(1).tokens(), texts.get(2).tokens());
            texts.get(3).end();
            assertNotEquals(texts.get(1).soFar(), texts.get(3).soFar());
        }
    }

    @Test
    void aSeedDrawsTheTokensOfATextThatIsGeneratedAlone() throws Exception {
        try (BatchFixture fixture = new BatchFixture("llama", 256, 4, 64, 256);
                BatchEngine engine =
                        new BatchEngine(fixture.runner, new BatchSettings(64, 16, 3), BatchListener.NONE)) {
            Collected text = new Collected();
            engine.submit(BatchRequest.of(PROMPT, EVERYTHING.seed(5), text));
            int[] alone =
                    fixture.model.generate(PROMPT, EVERYTHING.seed(5)).toEnd().getFirst();
            assertArrayEquals(alone, text.tokens());
            List<int[]> two = fixture.model
                    .generate(List.of(PROMPT, PROMPT), EVERYTHING.seed(4))
                    .toEnd();
            assertArrayEquals(alone, two.get(1));
        }
    }

    /** Penalties, biases and constraints depend on the tokens of a text, even if it was preempted and is computed again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void preemptedTextsGoOnAsTheyWould(int ahead) throws Exception {
        Random random = new Random(11);
        try (BatchFixture fixture = new BatchFixture("text", 112, 6, 64)) {
            List<TokenConstraint> constraints = List.of(
                    fixture.model.regex("[a-f]{40}"),
                    fixture.model.regex("(x[0-9]){1,20}"),
                    fixture.model.jsonSchema(
                            "{\"type\": \"array\", \"items\": {\"enum\": [1, \"b\"]}, \"minItems\": 6}"));
            List<BatchRequest> requests = new ArrayList<>();
            for (int text = 0; text < 16; text++) {
                Sampling rule = EVERYTHING.maxTokens(20 + random.nextInt(12)).seed(text);
                BatchRequest request =
                        BatchRequest.of(fixture.prompt(random, 1 + random.nextInt(30)), rule, new Collected());
                requests.add(text % 2 == 0 ? request : request.withConstraint(constraints.get(text / 2 % 3)));
            }
            List<int[]> alone = generate(fixture, new BatchSettings(256, 64, 0), requests, true);
            List<int[]> together = generate(fixture, new BatchSettings(32, 64, ahead), requests, false);
            for (int text = 0; text < requests.size(); text++) {
                assertArrayEquals(alone.get(text), together.get(text), "text " + text);
            }
        }
    }

    private static List<int[]> generate(
            BatchFixture fixture, BatchSettings settings, List<BatchRequest> requests, boolean isAlone)
            throws Exception {
        try (BatchEngine engine = new BatchEngine(fixture.runner, settings, BatchListener.NONE)) {
            List<Collected> texts = new ArrayList<>();
            List<int[]> tokens = new ArrayList<>();
            for (BatchRequest request : requests) {
                Collected text = new Collected();
                texts.add(text);
                engine.submit(BatchRequest.of(request.prompt(), request.sampling(), text)
                        .withConstraint(request.constraint()));
                if (isAlone) {
                    text.end();
                }
            }
            for (Collected text : texts) {
                tokens.add(text.tokens());
            }
            assertTrue(isAlone || engine.statistics().preemptions() > 0, "no text was preempted");
            return tokens;
        }
    }

    @Test
    void textsOfABatchHaveTheirOwnConstraints() throws Exception {
        try (BatchFixture fixture = new BatchFixture("text", 512, 4, 64);
                BatchEngine engine =
                        new BatchEngine(fixture.runner, new BatchSettings(64, 64, 2), BatchListener.NONE)) {
            Sampling wild = Sampling.temperature(2).maxTokens(8);
            Collected free = new Collected();
            engine.submit(BatchRequest.of(new int[] {30}, wild.ignoreEnd(), free));
            List<String> expressions = List.of("yes", "[0-9]{3}", "[0-9]{3}", "ü(x|y)", "a?", "x[0-9]*y", "(ab)*c");
            List<Collected> texts = new ArrayList<>();
            for (int text = 0; text < expressions.size(); text++) {
                texts.add(new Collected());
                engine.submit(BatchRequest.of(new int[] {30}, wild.seed(text), texts.get(text))
                        .withConstraint(fixture.model.regex(expressions.get(text))));
            }
            for (int text = 0; text < expressions.size(); text++) {
                String message =
                        fixture.model.tokenizer().decode(texts.get(text).tokens());
                assertTrue(message.matches(expressions.get(text)), message);
                assertEquals(Finish.Reason.STOP, texts.get(text).end().reason());
            }
            assertEquals(8, free.tokens().length);
        }
    }

    @Test
    void aConstraintForAnotherVocabularyIsRefused() {
        try (BatchFixture other = new BatchFixture("text", 64, 1, 32);
                BatchFixture fixture = new BatchFixture("llama", 64, 1, 32);
                BatchEngine engine = new BatchEngine(fixture.runner, BatchSettings.standard(), BatchListener.NONE)) {
            BatchRequest request =
                    BatchRequest.of(PROMPT, GREEDY, new Collected()).withConstraint(other.model.regex("a"));
            String message = assertThrows(IllegalArgumentException.class, () -> engine.submit(request))
                    .getMessage();
            assertEquals("the constraint is for 320 tokens, and the model has 64", message);
        }
    }
}
