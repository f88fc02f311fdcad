package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Map;

/**
 * The form of an answer of {@link ResponsesResource}, for the OpenAPI document.
 *
 * @param status {@code completed}, or {@code incomplete} if the limit of tokens was reached
 * @param error always null; failures have their own status
 * @param incompleteDetails the {@code reason}, if it is incomplete
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record ResponseSchema(
        String id,
        String object,
        long createdAt,
        String status,
        String error,
        Map<String, String> incompleteDetails,
        String instructions,
        Map<String, Object> metadata,
        String model,
        List<Item> output,
        boolean parallelToolCalls,
        Double temperature,
        Object toolChoice,
        List<ResponsesResource.Tool> tools,
        Double topP,
        Tokens usage) {
    /** A message of the answer, or a call of a function. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Item(
            String type,
            String id,
            String role,
            String status,
            List<Part> content,
            String callId,
            String name,
            String arguments) {}

    /** A part of a message. */
    record Part(String type, String text, List<String> annotations) {}

    /** The tokens that were used. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Tokens(
            int inputTokens,
            Map<String, Integer> inputTokensDetails,
            int outputTokens,
            Map<String, Integer> outputTokensDetails,
            int totalTokens) {}
}
