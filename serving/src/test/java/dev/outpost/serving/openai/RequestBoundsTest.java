package dev.outpost.serving.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.serving.http.ApiException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests parts of a request of which a few megabytes would keep a server busy for hours. */
class RequestBoundsTest {
    private static SamplingFields biased(int tokens) {
        Map<String, Double> biases =
                IntStream.range(0, tokens).boxed().collect(Collectors.toMap(String::valueOf, token -> 1.0));
        return new SamplingFields(
                16, null, null, null, null, null, null, null, null, biases, 1L, null, null, null, null, null);
    }

    @Test
    void biasesOfManyTokensAreRefused() {
        assertEquals(1024, biased(1024).sampling().logitBias().size());
        assertEquals(
                "logit_bias: expected a value for up to 1024 tokens, got 1025",
                assertThrows(ApiException.class, () -> biased(1025).sampling()).getMessage());
    }

    @Test
    void documentsAreAsManyAsPromptsMayBe() {
        assertEquals(2048, Prompts.documents(Collections.nCopies(2048, "text")).size());
        assertThrows(ApiException.class, () -> Prompts.documents(Collections.nCopies(2049, "text")));
        assertThrows(ApiException.class, () -> Prompts.documents(List.of()));
        assertThrows(ApiException.class, () -> Prompts.documents(Collections.singletonList(null)));
    }
}
