package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.serving.http.ApiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Reads texts and tokens of requests: a text, tokens, an array of texts, or an array of arrays of tokens. */
final class Prompts {
    private static final int MAX = 2048;

    private Prompts() {}

    /**
     * Returns the tokens of all texts.
     *
     * @param param the name of the field in the request
     * @param encode returns the tokens of a text
     */
    static List<int[]> tokens(String param, JsonNode said, Function<String, int[]> encode) {
        List<int[]> prompts = new ArrayList<>();
        if (said != null && said.isTextual()) {
            prompts.add(encode.apply(said.textValue()));
        } else if (said != null
                && said.isArray()
                && !said.isEmpty()
                && said.get(0).isInt()) {
            prompts.add(ids(param, said));
        } else if (said != null && said.isArray() && !said.isEmpty() && said.size() <= MAX) {
            said.forEach(one -> prompts.add(one.isTextual() ? encode.apply(one.textValue()) : ids(param, one)));
        } else {
            throw malformed(param);
        }
        return prompts;
    }

    /** Checks the texts to rank. A request may have as many of them as prompts. */
    static List<String> documents(List<String> said) {
        if (said.isEmpty() || said.size() > MAX || said.stream().anyMatch(Objects::isNull)) {
            throw ApiException.invalid(
                    "documents: expected 1 to " + MAX + " texts, got " + said.size() + ", or one that is null",
                    "documents");
        }
        return said;
    }

    private static int[] ids(String param, JsonNode array) {
        if (!array.isArray() || array.valueStream().anyMatch(id -> !id.isInt())) {
            throw malformed(param);
        }
        return array.valueStream().mapToInt(JsonNode::intValue).toArray();
    }

    /**
     * Keeps the last tokens of a prompt.
     *
     * @param max the maximum number of tokens; null for all, −1 for as many as leave room for one more token in the
     *     model's context
     */
    static int[] truncated(int[] prompt, Integer max, int context) {
        if (max == null) {
            return prompt;
        }
        if (max < -1 || max == 0 || max > context) {
            throw ApiException.invalid(
                    "truncate_prompt_tokens: expected -1 or a value from 1 to " + context + ", got " + max,
                    "truncate_prompt_tokens");
        }
        int kept = Math.min(prompt.length, max == -1 ? context - 1 : max);
        return Arrays.copyOfRange(prompt, prompt.length - kept, prompt.length);
    }

    private static ApiException malformed(String param) {
        return ApiException.invalid(
                param + ": expected a text, tokens, or an array of up to " + MAX + " texts or arrays of tokens", param);
    }
}
