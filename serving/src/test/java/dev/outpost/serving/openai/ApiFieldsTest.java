package dev.outpost.serving.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that the table of OpenAI's fields agrees with the code and has all fields of the package openai. */
class ApiFieldsTest {
    private static final String PINNED = "3.57.0";
    private static final Map<String, Class<?>> REQUESTS = Map.of(
            "chat", ChatRequest.class,
            "completions", CompletionRequest.class,
            "responses", ResponsesResource.ResponseRequest.class,
            "embeddings", EmbeddingsResource.EmbeddingRequest.class);
    private static final Map<String, String> PATHS = Map.of(
            "chat", "/v1/chat/completions",
            "completions", "/v1/completions",
            "responses", "/v1/responses",
            "embeddings", "/v1/embeddings");

    private static final String PROGRAM = """
            import typing, openai
            from openai.types import chat, completion_create_params, embedding_create_params
            from openai.types.chat import completion_create_params as chat_params
            from openai.types.responses import response_create_params
            def fields(module, name):
                found = set()
                for suffix in ("", "Base", "NonStreaming", "Streaming"):
                    kind = getattr(module, name + suffix, None)
                    found |= set(getattr(kind, "__annotations__", {}))
                return sorted(found)
            for request, module, name in (
                    ("chat", chat_params, "CompletionCreateParams"),
                    ("completions", completion_create_params, "CompletionCreateParams"),
                    ("responses", response_create_params, "ResponseCreateParams"),
                    ("embeddings", embedding_create_params, "EmbeddingCreateParams")):
                for field in fields(module, name):
                    print(request, field)
            """;

    private static List<String> pinned() throws IOException {
        return Files.readAllLines(Path.of("src/test/resources/openai/fields.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .sorted()
                .toList();
    }

    private static String treatment(Class<?> request, String field) {
        Set<String> read = Arrays.stream(request.getRecordComponents())
                .map(component -> PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component.getName()))
                .collect(Collectors.toSet());
        if (ApiFields.refusal(request, field) != null) {
            assertEquals(false, read.contains(field), field);
            return "refused | " + ApiFields.refusal(request, field);
        }
        return ApiFields.isWithoutEffect(request, field)
                ? "without effect"
                : read.contains(field) ? "honoured" : "not known";
    }

    @Test
    void tableSaysWhatTheCodeDoes() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/openai-fields.md")).stream()
                .filter(line -> line.startsWith("| /v1"))
                .map(line -> {
                    String[] cells = line.split("\\|");
                    String here = cells[3].strip();
                    return cells[1].strip() + " " + cells[2].strip() + " " + here
                            + (here.equals("refused") ? " | " + cells[4].strip() : "");
                })
                .sorted()
                .toList();
        List<String> expected = pinned().stream()
                .map(line -> line.split(" "))
                .map(field ->
                        PATHS.get(field[0]) + " `" + field[1] + "` " + treatment(REQUESTS.get(field[0]), field[1]))
                .sorted()
                .toList();
        assertEquals(String.join("\n", expected), String.join("\n", rows));
    }

    @Test
    void listIsThatOfThePackage() throws Exception {
        String python = Optional.ofNullable(System.getenv("OUTPOST_PYTHON")).orElse("python3");
        String version = run(python, "import openai; print(openai.__version__)").strip();
        assumeTrue(
                version.equals(PINNED),
                "there is no Python with openai " + PINNED + ", found " + version + ": OUTPOST_PYTHON names one");
        assertEquals(pinned(), run(python, PROGRAM).lines().sorted().toList());
    }

    private static String run(String python, String program) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(python, "-c", program)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes());
            return process.waitFor() == 0 ? text : "none";
        } catch (IOException ignored) {
            return "none";
        }
    }
}
