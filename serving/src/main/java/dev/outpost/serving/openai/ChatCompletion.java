package dev.outpost.serving.openai;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/** An answer to a conversation. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ChatCompletion(String id, String object, long created, String model, List<Choice> choices, Usage usage) {
    /** An answer of several alternatives. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Choice(int index, Message message, Logprobs logprobs, String finishReason) {}

    /** @param content null if there are only calls of tools */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Message(
            String role,
            String content,
            String refusal,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ToolCall> toolCalls) {}

    /** The log probabilities of each token. */
    public record Logprobs(List<TokenLogprob> content, List<TokenLogprob> refusal) {}

    /**
     * A token.
     *
     * @param bytes the bytes of its text, as numbers
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TokenLogprob(String token, double logprob, int[] bytes, List<TokenLogprob> topLogprobs) {}

    /** An event of a stream. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Chunk(String id, String object, long created, String model, List<ChunkChoice> choices, Usage usage) {}

    /** The new part of a choice. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record ChunkChoice(int index, Delta delta, Logprobs logprobs, String finishReason) {}

    /** The new part of a message. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Delta(String role, String content, List<ToolCall> toolCalls) {}
}
