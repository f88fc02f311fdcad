package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.architecture.Encoder;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoders compute what transformers computes, and embeddings are those of sentence-transformers' layout. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EncoderTest {
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
    @ValueSource(strings = {"bert", "minilm", "roberta", "xlm_roberta"})
    void computesWhatTransformersComputes(String name) {
        JsonNode expected = Fixtures.expected(name);
        List<int[]> texts = expected.get("ids").valueStream().map(Fixtures::ids).toList();
        Encoder encoder = Embedder.encoder(machine.open(Fixtures.uri(name)), null);
        Embedder.Batch batch = Embedder.batch(machine, encoder.padding(), texts);
        try (Tensor hidden = encoder.hidden(batch.ids(), batch.isToken())) {
            float[] values = hidden.detach().toFloatArray();
            int rows = texts.get(0).length + texts.get(1).length;
            // The second text is padded behind.
            for (int row = 0; row < rows; row++) {
                assertRow(expected.get("hidden").get(row), values, row * encoder.features());
            }
        }
    }

    private static void assertRow(JsonNode expected, float[] values, int from) {
        for (int feature = 0; feature < expected.size(); feature++) {
            double wanted = expected.get(feature).doubleValue();
            assertEquals(wanted, values[from + feature], TOLERANCE * Math.max(1, Math.abs(wanted)));
        }
    }

    @Test
    void embeddingsArePooledAsTheModelSays() {
        JsonNode expected = Fixtures.expected("embedder");
        List<String> texts =
                expected.get("texts").valueStream().map(JsonNode::asText).toList();
        try (Embedder embedder = Embedder.load(machine, Fixtures.uri("embedder"))) {
            float[][] vectors = embedder.embed(texts);
            for (int text = 0; text < vectors.length; text++) {
                assertRow(expected.get("embeddings").get(text), vectors[text], 0);
            }
            assertRow(expected.get("embeddings").get(1), embedder.embed(texts.subList(1, 2))[0], 0);
        }
    }

    /** Compares each pooling with sentence-transformers, with and without normalization, a limit of tokens and lower case. */
    @Test
    void theFilesOfSentenceTransformersAreFollowed(@TempDir Path folder) throws IOException {
        JsonNode expected = Fixtures.expected("embedder_modes");
        List<String> texts =
                expected.get("texts").valueStream().map(JsonNode::asText).toList();
        for (String file : List.of("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")) {
            Files.copy(Fixtures.folder().resolve("embedder_modes").resolve(file), folder.resolve(file));
        }
        Files.createDirectories(folder.resolve("1_Pooling"));
        try (RemoteMachine own =
                RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + folder))) {
            for (JsonNode mode : expected.get("modes")) {
                Files.writeString(
                        folder.resolve("modules.json"), mode.get("modules").toString());
                Files.writeString(
                        folder.resolve("sentence_bert_config.json"),
                        mode.get("bert").toString());
                Files.writeString(
                        folder.resolve("1_Pooling/config.json"),
                        mode.get("pooling").toString());
                try (Embedder embedder = Embedder.load(own, "file:" + folder)) {
                    int[] ids = embedder.encode(texts.get(0));
                    assertArrayEquals(Fixtures.ids(mode.get("ids")), embedder.truncate(ids), mode::toString);
                    float[][] vectors = embedder.embed(texts);
                    for (int text = 0; text < vectors.length; text++) {
                        assertEquals(embedder.features(), vectors[text].length);
                        assertRow(mode.get("vectors").get(text), vectors[text], 0);
                    }
                }
            }
            Files.writeString(folder.resolve("1_Pooling/config.json"), "{\"pooling_mode\":\"median\"}");
            assertThrows(OutpostException.class, () -> Embedder.load(own, "file:" + folder));
        }
    }

    @Test
    void aLongerTextKeepsTheTokensThatCloseIt() {
        try (Embedder embedder = Embedder.load(machine, Fixtures.uri("embedder_modes"))) {
            int max = embedder.textTokens();
            assertEquals(48, max);
            int[] ids = embedder.encode("a ".repeat(100));
            int[] kept = embedder.truncate(ids);
            assertEquals(max, kept.length);
            assertEquals(2, kept[max - 1]);
            assertArrayEquals(Arrays.copyOf(ids, max - 1), Arrays.copyOf(kept, max - 1));
            int[] open = Arrays.copyOf(ids, 100);
            assertArrayEquals(Arrays.copyOf(ids, max), embedder.truncate(open), "tokens that do not end with it");
            assertArrayEquals(kept, embedder.truncate(kept));
            assertThrows(OutpostException.class, () -> embedder.embedTokens(List.of(ids)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reranker", "xlm_reranker"})
    void textsAreScoredAgainstAQuery(String name) {
        JsonNode expected = Fixtures.expected(name);
        List<String> texts =
                expected.get("texts").valueStream().map(JsonNode::asText).toList();
        try (CrossEncoder reranker = CrossEncoder.load(machine, Fixtures.uri(name))) {
            Fixtures.assertClose(
                    expected.get("scores"), reranker.score(expected.get("query").asText(), texts));
        }
    }

    @Test
    void anUnknownArchitectureIsRefusedWithTheKnownOnes() {
        String message = assertThrows(OutpostException.class, () -> CausalLM.load(machine, Fixtures.uri("bert")))
                .getMessage();
        assertTrue(
                message.endsWith(
                        ": the model type bert is not known as a causal language model; known are gemma2, gemma3_text,"
                                + " gpt2, gpt_neox, llama, mistral, mixtral, phi3, qwen2, qwen3, smollm3"),
                message);
    }
}
