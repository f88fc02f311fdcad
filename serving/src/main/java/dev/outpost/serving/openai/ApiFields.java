package dev.outpost.serving.openai;

import java.util.Map;
import java.util.Set;

/** The fields of OpenAI's requests that this server does not implement: fields that are errors, and fields that are read and ignored. */
final class ApiFields {
    private static final String NOTHING_STORED = "answers are not stored here";
    private static final String NO_MODERATION = "there is no moderation here";

    /** The reasons why fields are errors, by the type of the request. A field that is null counts as absent. */
    static final Map<Class<?>, Map<String, String>> REFUSED = Map.of(
            ChatRequest.class,
            Map.of(
                    "audio", "no audio is generated here",
                    "function_call", "it is deprecated; use tool_choice",
                    "functions", "it is deprecated; use tools",
                    "moderation", NO_MODERATION,
                    "prediction", "predicted outputs are not used here",
                    "reasoning_effort", "the model's template decides how it reasons; use chat_template_kwargs",
                    "verbosity", "the messages decide how a model writes",
                    "web_search_options", "there is no web search here"),
            ResponsesResource.ResponseRequest.class,
            Map.ofEntries(
                    Map.entry("access_programs", "there are no access programs here"),
                    Map.entry("background", "answers are not made in the background here"),
                    Map.entry("background_options", "answers are not made in the background here"),
                    Map.entry("context_management", "conversations are not shortened here"),
                    Map.entry("conversation", NOTHING_STORED),
                    Map.entry("image", "only text is read here"),
                    Map.entry("include", "there are no further parts of an answer here"),
                    Map.entry("max_tool_calls", "there are no built-in tools here"),
                    Map.entry("moderation", NO_MODERATION),
                    Map.entry("previous_response_id", NOTHING_STORED),
                    Map.entry("prompt", "there are no stored prompts here"),
                    Map.entry("reasoning", "the model's template decides how it reasons"),
                    Map.entry("top_logprobs", "this path has no logprobs; use /v1/chat/completions")),
            ChatRequest.Message.class,
            Map.of(
                    "audio", "no audio is read here",
                    "function_call", "it is deprecated; use tool_calls"));

    /** The fields that are read and have no effect. */
    static final Map<Class<?>, Set<String>> WITHOUT_EFFECT = Map.of(
            ChatRequest.class,
            Set.of(
                    "metadata",
                    "prompt_cache_key",
                    "prompt_cache_options",
                    "prompt_cache_retention",
                    "safety_identifier",
                    "service_tier",
                    "store",
                    "user"),
            CompletionRequest.class,
            Set.of("user"),
            ResponsesResource.ResponseRequest.class,
            Set.of(
                    "prompt_cache_key",
                    "prompt_cache_options",
                    "prompt_cache_retention",
                    "safety_identifier",
                    "service_tier",
                    "store",
                    "stream_options",
                    "user"),
            EmbeddingsResource.EmbeddingRequest.class,
            Set.of("user"),
            ChatRequest.Message.class,
            Set.of("annotations"));

    private ApiFields() {}

    /** Returns the reason why a field is an error; null if it is none. */
    static String refusal(Class<?> request, String field) {
        return REFUSED.getOrDefault(request, Map.of()).get(field);
    }

    static boolean isWithoutEffect(Class<?> request, String field) {
        return WITHOUT_EFFECT.getOrDefault(request, Set.of()).contains(field);
    }
}
