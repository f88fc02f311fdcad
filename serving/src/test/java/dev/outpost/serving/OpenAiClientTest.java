package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.models.completions.Completion;
import com.openai.models.completions.CompletionCreateParams;
import com.openai.models.models.Model;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** OpenAI's own client for Java reads the answers. */
class OpenAiClientTest {
    private static final String PROMPT = "The machine reads";
    /** The continuation by transformers. */
    private static final String EXPECTED = "stststyststststststyst";

    private static OpenAIClient client;

    @BeforeAll
    static void connect() {
        client = OpenAIOkHttpClient.builder()
                .baseUrl(ServingProcess.shared().api())
                .apiKey("none is wanted")
                .maxRetries(0)
                .build();
    }

    @AfterAll
    static void close() {
        client.close();
    }

    private static CompletionCreateParams.Builder greedy() {
        return CompletionCreateParams.builder()
                .model("text")
                .prompt(PROMPT)
                .temperature(0)
                .maxTokens(12);
    }

    @Test
    void modelsAreListed() {
        List<String> names =
                client.models().list().data().stream().map(Model::id).sorted().toList();
        assertEquals(List.of("embedder", "reranker", "text"), names);
        assertEquals("text", client.models().retrieve("text").id());
    }

    @Test
    void aTextIsContinued() {
        Completion completion = client.completions().create(greedy().build());
        assertEquals(EXPECTED, completion.choices().getFirst().text());
        assertEquals("length", completion.choices().getFirst().finishReason().asString());
        assertEquals(12, completion.usage().orElseThrow().completionTokens());
        assertTrue(completion.usage().orElseThrow().promptTokens() > 0);
    }

    @Test
    void aStreamHasTheSameTextInPieces() {
        try (StreamResponse<Completion> stream = client.completions().createStreaming(greedy().build())) {
            List<String> pieces = stream.stream()
                    .flatMap(event -> event.choices().stream())
                    .map(choice -> choice.text())
                    .filter(text -> !text.isEmpty())
                    .toList();
            assertEquals(EXPECTED, String.join("", pieces));
            assertTrue(pieces.size() > 6, pieces::toString);
        }
    }

    @Test
    void aStopTextEndsATextAndIsNotInIt() {
        Completion completion = client.completions().create(greedy().stop("yst").build());
        assertEquals("ststst", completion.choices().getFirst().text());
        assertEquals("stop", completion.choices().getFirst().finishReason().asString());
    }

    @Test
    void equalSeedsDrawEqualTexts() {
        CompletionCreateParams hot = greedy().temperature(2).seed(11).n(2).build();
        Completion first = client.completions().create(hot);
        Completion second = client.completions().create(hot);
        assertEquals(first.choices().get(0).text(), second.choices().get(0).text());
        assertEquals(first.choices().get(1).text(), second.choices().get(1).text());
        assertTrue(!first.choices().get(0).text().equals(first.choices().get(1).text()));
    }

    @Test
    void logprobsAreTold() {
        var logprobs = client.completions()
                .create(greedy().logprobs(2).build())
                .choices()
                .getFirst()
                .logprobs()
                .orElseThrow();
        assertEquals(12, logprobs.tokens().orElseThrow().size());
        assertEquals("st", logprobs.tokens().orElseThrow().getFirst());
        assertTrue(logprobs.tokenLogprobs().orElseThrow().getFirst() < 0);
        assertEquals(List.of(0L, 2L, 4L), logprobs.textOffset().orElseThrow().subList(0, 3));
    }

    @Test
    void refusalsAreOfOpenAisKinds() {
        NotFoundException unknown = assertThrows(
                NotFoundException.class,
                () -> client.completions().create(greedy().model("gpt-5").build()));
        assertEquals("model_not_found", unknown.code().orElseThrow());
        BadRequestException tooHot = assertThrows(
                BadRequestException.class,
                () -> client.completions().create(greedy().temperature(3).build()));
        assertEquals("temperature", tooHot.param().orElseThrow());
        assertTrue(
                tooHot.getMessage().contains("temperature: expected a value from 0 to 2, got 3"), tooHot::getMessage);
        BadRequestException tooLong = assertThrows(
                BadRequestException.class,
                () -> client.completions().create(greedy().maxTokens(2000).build()));
        assertTrue(tooLong.getMessage().contains("maximum context length is 1024 tokens"), tooLong::getMessage);
    }
}
