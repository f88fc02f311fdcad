package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each architecture computes what transformers computes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CausalLMTest {
    private static final double TOLERANCE = 1e-4;

    private RemoteMachine machine;

    @BeforeAll
    void start() {
        machine = Fixtures.machine();
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "llama",
                "llama_torch",
                "llama3",
                "llama_linear_rope",
                "llama_yarn",
                "smollm",
                "smollm3",
                "mistral",
                "mixtral",
                "qwen2",
                "qwen3",
                "gemma2",
                "gemma3",
                "phi3",
                "phi3_longrope",
                "gpt2",
                "gpt_neox"
            })
    void computesWhatTransformersComputes(String name) {
        JsonNode expected = Fixtures.expected(name);
        int[] prompt = Fixtures.ids(expected.get("prompt"));
        int[] shorter = Fixtures.ids(expected.get("short_prompt"));
        Sampling greedy = Sampling.greedy().maxTokens(12).ignoreEnd();
        try (CausalLM model = CausalLM.load(machine, Fixtures.uri(name))) {
            assertLogits(expected.get("logits"), model, prompt);
            List<int[]> alone = model.generate(prompt, greedy).toEnd();
            assertArrayEquals(Fixtures.ids(expected.get("greedy")), alone.get(0), () -> Arrays.toString(alone.get(0)));
            List<int[]> together =
                    model.generate(List.of(shorter, prompt), greedy).toEnd();
            assertArrayEquals(Fixtures.ids(expected.get("short_greedy")), together.get(0), "the shorter of a batch");
            assertArrayEquals(Fixtures.ids(expected.get("greedy")), together.get(1), "the longer of a batch");
        }
    }

    private void assertLogits(JsonNode expected, CausalLM model, int[] prompt) {
        long[] ids = Arrays.stream(prompt).asLongStream().toArray();
        try (Tensor input = machine.tensor(ids, 1, ids.length);
                Tensor logits = model.logits(input)) {
            float[] values = logits.toFloatArray();
            int vocabulary = expected.get(0).size();
            for (int token = 0; token < prompt.length; token++) {
                for (int id = 0; id < vocabulary; id++) {
                    double wanted = expected.get(token).get(id).doubleValue();
                    assertEquals(
                            wanted,
                            values[token * vocabulary + id],
                            TOLERANCE * Math.max(1, Math.abs(wanted)),
                            "token " + token + ", score " + id);
                }
            }
        }
    }
}
