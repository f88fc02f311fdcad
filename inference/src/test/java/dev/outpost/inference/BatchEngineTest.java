package dev.outpost.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.models.Sampling;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are generated together are those that are generated alone. */
class BatchEngineTest {
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(12).ignoreEnd();

    @ParameterizedTest
    @ValueSource(strings = {"llama", "gpt2", "gemma3", "mistral", "gpt_neox", "qwen3"})
    void computesWhatTransformersComputes(String name) throws Exception {
        JsonNode expected = BatchFixture.expected(name);
        try (BatchFixture fixture = new BatchFixture(name, 256, 4, 64);
                BatchEngine engine = new BatchEngine(fixture.runner, new BatchSettings(7, 16, 1), BatchListener.NONE)) {
            Collected longer = new Collected();
            Collected shorter = new Collected();
            engine.submit(BatchRequest.of(BatchFixture.ids(expected.get("prompt")), GREEDY, longer));
            engine.submit(BatchRequest.of(BatchFixture.ids(expected.get("short_prompt")), GREEDY, shorter));
            assertArrayEquals(BatchFixture.ids(expected.get("greedy")), longer.tokens());
            assertArrayEquals(BatchFixture.ids(expected.get("short_greedy")), shorter.tokens());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void textsTogetherAreThoseAlone(int ahead) throws Exception {
        Random random = new Random(7);
        try (BatchFixture fixture = new BatchFixture("llama", 112, 8, 64)) {
            List<int[]> prompts = new ArrayList<>();
            List<Sampling> rules = new ArrayList<>();
            for (int text = 0; text < 24; text++) {
                prompts.add(fixture.prompt(random, 1 + random.nextInt(32)));
                Sampling rule = Sampling.greedy()
                        .maxTokens(1 + random.nextInt(30))
                        .seed(text)
                        .ignoreEnd();
                rules.add(
                        switch (text % 4) {
                            case 0 -> rule;
                            case 1 -> rule.withTemperature(0.9);
                            case 2 -> rule.withTemperature(0.7).topP(0.8).topK(20);
                            default -> rule.frequencyPenalty(0.5).presencePenalty(0.3);
                        });
            }
            List<int[]> alone = new ArrayList<>();
            try (BatchEngine engine =
                    new BatchEngine(fixture.runner, new BatchSettings(256, 64, 0), BatchListener.NONE)) {
                for (int text = 0; text < prompts.size(); text++) {
                    Collected collected = new Collected();
                    engine.submit(BatchRequest.of(prompts.get(text), rules.get(text), collected));
                    alone.add(collected.tokens());
                }
            }
            // With room for a third of them, so that some are preempted.
            try (BatchEngine engine =
                    new BatchEngine(fixture.runner, new BatchSettings(32, 64, ahead), BatchListener.NONE)) {
                List<Collected> together = new ArrayList<>();
                for (int text = 0; text < prompts.size(); text++) {
                    together.add(new Collected());
                    engine.submit(BatchRequest.of(prompts.get(text), rules.get(text), together.get(text)));
                }
                for (int text = 0; text < prompts.size(); text++) {
                    assertArrayEquals(alone.get(text), together.get(text).tokens(), "text " + text);
                    assertEquals(Finish.Reason.LENGTH, together.get(text).end().reason());
                }
                assertTrue(engine.statistics().preemptions() > 0, "no text was preempted");
                assertEquals(7, engine.statistics().blocks());
            }
        }
    }

    @Test
    void tokensOfOneSeedAreThoseOfAnEqualSeedOnly() throws Exception {
        Sampling hot = Sampling.temperature(1.5).maxTokens(16).ignoreEnd();
        try (BatchFixture fixture = new BatchFixture("llama", 256, 4, 64);
                BatchEngine engine = new BatchEngine(fixture.runner, BatchSettings.standard(), BatchListener.NONE)) {
            List<Collected> texts = List.of(new Collected(), new Collected(), new Collected());
            engine.submit(List.of(
                    BatchRequest.of(new int[] {1, 2, 3}, hot.seed(5), texts.get(0)),
                    BatchRequest.of(new int[] {1, 2, 3}, hot.seed(5), texts.get(1)),
                    BatchRequest.of(new int[] {1, 2, 3}, hot.seed(6), texts.get(2))));
            assertArrayEquals(texts.get(0).tokens(), texts.get(1).tokens());
            assertTrue(!texts.get(0).soFar().equals(texts.get(2).soFar()), "seeds 5 and 6 draw the same");
            texts.get(2).end();
        }
    }

    @Test
    void logprobsAreThoseOfTheModel() throws Exception {
        try (BatchFixture fixture = new BatchFixture("llama", 256, 4, 64);
                BatchEngine engine = new BatchEngine(fixture.runner, BatchSettings.standard(), BatchListener.NONE)) {
            Collected text = new Collected();
            engine.submit(BatchRequest.of(new int[] {1, 2, 3}, GREEDY.maxTokens(2), text)
                    .withLogprobs(true));
            int[] tokens = text.tokens();
            float[] scores;
            try (var ids = fixture.machine.tensor(new long[] {1, 2, 3}, 1, 3);
                    var logits = fixture.model.logits(ids);
                    var logprobs = logits.narrow(1, 2, 1).logSoftmax(-1)) {
                scores = logprobs.toFloatArray();
            }
            assertEquals(scores[tokens[0]], text.logprobs.get(0).chosen(), 1e-4);
            assertEquals(tokens[0], text.logprobs.get(0).tokens()[0]);
            assertEquals(scores[tokens[0]], text.logprobs.get(0).values()[0], 1e-4);
            assertEquals(20, text.logprobs.get(0).tokens().length);
        }
    }
}
