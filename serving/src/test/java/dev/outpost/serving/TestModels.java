package dev.outpost.serving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Tiny models with random weights, which are the fixtures of the module models. */
final class TestModels {
    private static final Path FIXTURES = Path.of("..", "models", "src", "test", "resources", "fixtures");

    private TestModels() {}

    /** One that has a tokenizer, a template of conversations, and 2,048 positions. */
    static String text() {
        Path folder = copy("text");
        Path config = folder.resolve("config.json");
        try {
            String said = Files.readString(config);
            Files.writeString(
                    config, said.replace("\"max_position_embeddings\": 64", "\"max_position_embeddings\": 2048"));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return "file:" + folder;
    }

    /** One that makes vectors. */
    static String embedder() {
        return "file:" + FIXTURES.resolve("embedder").toAbsolutePath().normalize();
    }

    /** One that sees a query and a text together. */
    static String reranker() {
        return "file:" + FIXTURES.resolve("reranker").toAbsolutePath().normalize();
    }

    /** The values that transformers computes with one. */
    static JsonNode expected(String name) {
        try {
            return JsonMapper.builder()
                    .build()
                    .readTree(FIXTURES.resolve(name).resolve("expected.json").toFile());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
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
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
