package dev.outpost.serving.openai;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Map;

/** Completions, or an event of their stream. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TextCompletion(
        String id,
        String object,
        long created,
        String model,
        String systemFingerprint,
        List<Choice> choices,
        Usage usage) {
    /** A text. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Choice(int index, String text, Logprobs logprobs, String finishReason) {}

    /**
     * The log probabilities of each token.
     *
     * @param textOffset the position in the text at which each token begins
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Logprobs(
            List<String> tokens,
            List<Double> tokenLogprobs,
            List<Map<String, Double>> topLogprobs,
            List<Integer> textOffset) {}
}
