package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Map;

/**
 * The request to continue a conversation. {@code top_k}, {@code min_p}, {@code ignore_eos}, {@code priority}, {@code
 * chat_template_kwargs}, {@code repetition_penalty}, {@code min_tokens}, {@code stop_token_ids} and {@code
 * truncate_prompt_tokens} are extensions of vLLM. {@code user}, {@code metadata}, {@code store}, {@code
 * service_tier}, {@code prompt_cache_key} and {@code safety_identifier} have no effect on this server.
 *
 * @param stop a text, or a list of up to four texts
 * @param modalities text only; may be null
 * @param toolChoice {@code none}, {@code auto}, {@code required} or the name of a function
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ChatRequest(
        String model,
        List<Message> messages,
        Integer maxTokens,
        Integer maxCompletionTokens,
        Double temperature,
        Double topP,
        Integer topK,
        Double minP,
        Integer n,
        Boolean stream,
        StreamOptions streamOptions,
        Boolean logprobs,
        Integer topLogprobs,
        JsonNode stop,
        Double presencePenalty,
        Double frequencyPenalty,
        Map<String, Double> logitBias,
        Long seed,
        Boolean ignoreEos,
        Integer priority,
        List<Tool> tools,
        JsonNode toolChoice,
        Boolean parallelToolCalls,
        ResponseFormat responseFormat,
        Map<String, Object> chatTemplateKwargs,
        Double repetitionPenalty,
        Integer minTokens,
        List<Integer> stopTokenIds,
        Integer truncatePromptTokens,
        String user,
        Map<String, Object> metadata,
        List<String> modalities,
        Boolean store,
        String serviceTier,
        String promptCacheKey,
        String safetyIdentifier) {
    /**
     * A message of a conversation.
     *
     * @param content a text, parts of type {@code text}, or null if there are calls of tools
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Message(
            String role, JsonNode content, String name, List<ToolCall> toolCalls, String toolCallId, String refusal) {}

    /** A function that the model may call. */
    public record Tool(String type, Function function) {}

    /** @param parameters its JSON schema */
    public record Function(String name, String description, JsonNode parameters, Boolean strict) {}

    /**
     * The form of the answer.
     *
     * @param type {@code text}, {@code json_object} or {@code json_schema}
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record ResponseFormat(String type, JsonSchema jsonSchema) {}

    /** A schema and its name. */
    public record JsonSchema(String name, String description, JsonNode schema, Boolean strict) {}

    SamplingFields sampling(int standardTokens) {
        Integer max = maxCompletionTokens == null ? maxTokens : maxCompletionTokens;
        return new SamplingFields(
                max == null ? standardTokens : max,
                temperature,
                topP,
                topK,
                minP,
                n,
                stop,
                presencePenalty,
                frequencyPenalty,
                logitBias,
                seed,
                ignoreEos,
                priority,
                repetitionPenalty,
                minTokens,
                stopTokenIds);
    }
}
