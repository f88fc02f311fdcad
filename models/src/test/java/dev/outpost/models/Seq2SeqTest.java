package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of an encoder and a decoder compute what transformers computes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Seq2SeqTest {
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
    @ValueSource(strings = {"t5", "flan_t5"})
    void computesWhatTransformersComputes(String name) {
        JsonNode expected = Fixtures.expected(name);
        int[] prompt = Fixtures.ids(expected.get("prompt"));
        int[] shorter = Fixtures.ids(expected.get("short_prompt"));
        long[] decoded = Arrays.stream(Fixtures.ids(expected.get("decoded")))
                .asLongStream()
                .toArray();
        Sampling greedy = Sampling.greedy().maxTokens(12).ignoreEnd();
        try (Seq2SeqLM model = Seq2SeqLM.load(machine, Fixtures.uri(name))) {
            try (Tensor ids = machine.tensor(decoded, 1, decoded.length);
                    Tensor logits = model.logits(List.of(prompt), ids)) {
                Fixtures.assertClose(expected.get("logits"), logits.toFloatArray());
            }
            int[] alone = model.generate(List.of(prompt), greedy).toEnd().getFirst();
            assertArrayEquals(Fixtures.ids(expected.get("greedy")), alone, () -> Arrays.toString(alone));
            List<int[]> both = model.generate(List.of(shorter, prompt), greedy).toEnd();
            assertArrayEquals(Fixtures.ids(expected.get("short_greedy")), both.get(0), "the shorter of a batch");
            assertArrayEquals(Fixtures.ids(expected.get("greedy")), both.get(1), "the longer of a batch");
        }
    }

    @Test
    void anotherArchitectureIsRefused() {
        String message = assertThrows(OutpostException.class, () -> Seq2SeqLM.load(machine, Fixtures.uri("llama")))
                .getMessage();
        assertTrue(message.endsWith("llama is not known as one that writes a text for a text; known are t5"), message);
    }

    @Test
    void drawnTokensAreThoseOfTheSeed() {
        try (Seq2SeqLM model = Seq2SeqLM.load(machine, Fixtures.uri("t5"))) {
            Sampling drawn = Sampling.temperature(1)
                    .repetitionPenalty(1.2)
                    .seed(4)
                    .maxTokens(8)
                    .ignoreEnd();
            int[] prompt = {1, 17, 33};
            int[] first = model.generate(List.of(prompt), drawn).toEnd().getFirst();
            assertArrayEquals(
                    first, model.generate(List.of(prompt), drawn).toEnd().getFirst());
            assertEquals(8, first.length);
        }
    }
}
