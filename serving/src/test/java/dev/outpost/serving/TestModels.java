package dev.outpost.serving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.serving.config.ServingConfig;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tiny models with random weights, which are the fixtures of the module models. */
public final class TestModels {
    private static final Path FIXTURES = Path.of("..", "models", "src", "test", "resources", "fixtures");

    /** The maximum number of tokens of a text of {@link #other}. */
    public static final int OTHER_POSITIONS = 512;

    private static final int TOKENS = 320;

    private TestModels() {}

    /** A model with a tokenizer, a chat template and 2,048 positions. */
    public static String text() {
        return "file:" + longText();
    }

    /** A model of another shape and with other weights, but the same tokenizer. */
    public static String other() {
        Path text = FIXTURES.resolve("text");
        try (RemoteMachine machine =
                RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:/"))) {
            Path folder = Files.createTempDirectory("outpost-serving").resolve("other");
            Map<String, String> files = new HashMap<>();
            for (String name : List.of("tokenizer.json", "tokenizer_config.json", "chat_template.jinja")) {
                files.put(name, Files.readString(text.resolve(name)));
            }
            files.put("config.json", """
                    {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "bos_token_id": 1, "eos_token_id": 2,
                     "hidden_size": 32, "head_dim": 8, "num_attention_heads": 4, "num_key_value_heads": 4,
                     "num_hidden_layers": 3, "intermediate_size": 48, "hidden_act": "silu", "rms_norm_eps": 1e-6,
                     "rope_theta": 10000.0, "max_position_embeddings": %d, "tie_word_embeddings": false,
                     "initializer_range": 0.5, "vocab_size": 320}""".formatted(OTHER_POSITIONS));
            machine.manualSeed(9);
            CausalLM.create(machine, "file:" + folder, files);
            return "file:" + folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A model with the tokens of SentencePiece: words that begin with a blank, and bytes. */
    static String sentencePiece() {
        Path folder = longText();
        StringBuilder vocabulary = new StringBuilder("\"<unk>\":0,\"<s>\":1,\"<|end|>\":2");
        int id = 3;
        for (int value = 0; value < 256; value++) {
            vocabulary.append(String.format(",\"<0x%02X>\":%d", value, id++));
        }
        for (char letter = 'A'; id < TOKENS; letter++) {
            vocabulary
                    .append(",\"\u2581")
                    .append(letter == '\\' || letter == '"' ? "~" : letter)
                    .append("\":")
                    .append(id++);
        }
        try {
            Files.writeString(folder.resolve("tokenizer.json"), """
                    {"version": "1.0", "added_tokens": [
                      {"id": 1, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
                      {"id": 2, "content": "<|end|>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
                       "special": true}],
                     "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "\u2581"},
                      {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]},
                     "decoder": {"type": "Sequence", "decoders": [
                      {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
                      {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
                     "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true, "merges": [],
                      "vocab": {%s}}}""".formatted(vocabulary));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return "file:" + folder;
    }

    /** A model that makes embeddings. */
    public static String embedder() {
        return "file:" + FIXTURES.resolve("embedder").toAbsolutePath().normalize();
    }

    /** A model that gets a query and a text together. */
    static String reranker() {
        return "file:" + FIXTURES.resolve("reranker").toAbsolutePath().normalize();
    }

    /** The configuration of a server by names after {@code outpost.serving.}, without settings of this host. */
    public static ServingConfig config(Map<String, String> settings) {
        Map<String, String> named = new HashMap<>();
        settings.forEach((name, value) -> named.put("outpost.serving." + name, value));
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(ServingConfig.class)
                .withSources(new PropertiesConfigSource(named, "test", 100))
                .build()
                .getConfigMapping(ServingConfig.class);
    }

    /** The values that transformers computes with a model. */
    static JsonNode expected(String name) {
        try {
            return JsonMapper.builder()
                    .build()
                    .readTree(FIXTURES.resolve(name).resolve("expected.json").toFile());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Path longText() {
        Path folder = copy("text");
        Path config = folder.resolve("config.json");
        try {
            String text = Files.readString(config);
            Files.writeString(
                    config, text.replace("\"max_position_embeddings\": 64", "\"max_position_embeddings\": 2048"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return folder;
    }

    private static Path copy(String name) {
        try {
            Path folder = Files.createDirectory(
                    Files.createTempDirectory("outpost-serving").resolve(name));
            try (Stream<Path> files = Files.list(FIXTURES.resolve(name))) {
                for (Path file : files.toList()) {
                    Files.copy(file, folder.resolve(file.getFileName()));
                }
            }
            return folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
