package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.outpost.serving.engine.GenerationStream;

/** The tokens that a request used. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Usage(int promptTokens, int completionTokens, int totalTokens, PromptTokensDetails promptTokensDetails) {
    /** The tokens of the prompt that an earlier request had computed already. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record PromptTokensDetails(int cachedTokens) {}

    static Usage of(GenerationStream stream) {
        return new Usage(
                stream.promptTokens(),
                stream.newTokens(),
                stream.promptTokens() + stream.newTokens(),
                new PromptTokensDetails(stream.cachedTokens()));
    }

    static Usage ofPrompts(int tokens) {
        return new Usage(tokens, 0, tokens, null);
    }
}
