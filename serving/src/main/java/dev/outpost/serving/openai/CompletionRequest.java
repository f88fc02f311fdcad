package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Map;

/**
 * The request to continue texts. {@code top_k}, {@code min_p}, {@code ignore_eos}, {@code priority}, {@code
 * repetition_penalty}, {@code min_tokens}, {@code stop_token_ids} and {@code truncate_prompt_tokens} are extensions
 * of vLLM.
 *
 * @param prompt a text, tokens, or an array of texts or of arrays of tokens
 * @param stop a text, or a list of up to four texts
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record CompletionRequest(
        String model,
        JsonNode prompt,
        Integer maxTokens,
        Double temperature,
        Double topP,
        Integer topK,
        Double minP,
        Integer n,
        Integer bestOf,
        Boolean stream,
        StreamOptions streamOptions,
        Integer logprobs,
        Boolean echo,
        JsonNode stop,
        Double presencePenalty,
        Double frequencyPenalty,
        Map<String, Double> logitBias,
        Long seed,
        String suffix,
        Boolean ignoreEos,
        Integer priority,
        Double repetitionPenalty,
        Integer minTokens,
        List<Integer> stopTokenIds,
        Integer truncatePromptTokens,
        String user) {
    SamplingFields sampling(int standardTokens) {
        return new SamplingFields(
                maxTokens == null ? standardTokens : maxTokens,
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
