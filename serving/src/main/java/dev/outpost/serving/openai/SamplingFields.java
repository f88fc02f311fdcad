package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.models.Sampling;
import dev.outpost.serving.http.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The sampling fields of requests of all kinds. A field that a request lacks is null. */
record SamplingFields(
        Integer maxTokens,
        Double temperature,
        Double topP,
        Integer topK,
        Double minP,
        Integer n,
        JsonNode stop,
        Double presencePenalty,
        Double frequencyPenalty,
        Map<String, Double> logitBias,
        Long seed,
        Boolean ignoreEos,
        Integer priority,
        Double repetitionPenalty,
        Integer minTokens,
        List<Integer> stopTokenIds) {
    private static final int MAX_CHOICES = 128;
    private static final int MAX_STOPS = 4;
    private static final int MAX_BIASES = 1024;

    Sampling sampling() {
        require(maxTokens >= 1, "max_tokens", "at least 1", maxTokens);
        double heat = temperature == null ? 1 : temperature;
        require(heat >= 0 && heat <= 2, "temperature", "from 0 to 2", heat);
        double top = topP == null ? 1 : topP;
        require(top > 0 && top <= 1, "top_p", "above 0 and at most 1", top);
        double min = minP == null ? 0 : minP;
        require(min >= 0 && min <= 1, "min_p", "from 0 to 1", min);
        int kept = topK == null || topK == -1 ? 0 : topK;
        require(kept >= 0, "top_k", "at least 0", kept);
        Sampling sampling = Sampling.temperature(heat)
                .topP(top)
                .minP(min)
                .topK(kept)
                .presencePenalty(penalty("presence_penalty", presencePenalty))
                .frequencyPenalty(penalty("frequency_penalty", frequencyPenalty))
                .repetitionPenalty(repetition())
                .seed(seed == null ? ThreadLocalRandom.current().nextLong() : seed)
                .maxTokens(maxTokens);
        Map<String, Double> biases = logitBias == null ? Map.of() : logitBias;
        require(biases.size() <= MAX_BIASES, "logit_bias", "for up to " + MAX_BIASES + " tokens", biases.size());
        for (Map.Entry<String, Double> bias : biases.entrySet()) {
            sampling = biased(sampling, bias.getKey(), bias.getValue());
        }
        return Boolean.TRUE.equals(ignoreEos) ? sampling.ignoreEnd() : sampling;
    }

    private double repetition() {
        require(
                repetitionPenalty == null || repetitionPenalty > 0 && repetitionPenalty <= 2,
                "repetition_penalty",
                "above 0 and at most 2",
                repetitionPenalty);
        return repetitionPenalty == null ? 1 : repetitionPenalty;
    }

    /** Returns the minimum number of tokens; 0 if the request sets none. */
    int leastTokens() {
        int min = minTokens == null ? 0 : minTokens;
        require(min >= 0 && min <= maxTokens, "min_tokens", "from 0 to max_tokens", min);
        return min;
    }

    Set<Integer> stopTokens() {
        List<Integer> tokens = stopTokenIds == null ? List.of() : stopTokenIds;
        tokens.forEach(token -> require(token != null && token >= 0, "stop_token_ids", "of at least 0", token));
        return Set.copyOf(tokens);
    }

    private static double penalty(String name, Double value) {
        require(value == null || Math.abs(value) <= 2, name, "from -2 to 2", value);
        return value == null ? 0 : value;
    }

    private static Sampling biased(Sampling sampling, String token, Double bias) {
        require(bias != null && Math.abs(bias) <= 100, "logit_bias", "from -100 to 100", bias);
        try {
            return sampling.logitBias(Integer.parseInt(token), bias);
        } catch (NumberFormatException ignored) {
            throw ApiException.invalid(
                    "logit_bias: expected the number of a token, got \"" + token + "\"", "logit_bias");
        }
    }

    int choices() {
        int count = n == null ? 1 : n;
        require(count >= 1 && count <= MAX_CHOICES, "n", "from 1 to " + MAX_CHOICES, count);
        return count;
    }

    int priorityOr0() {
        return priority == null ? 0 : priority;
    }

    List<String> stops() {
        if (stop == null || stop.isNull()) {
            return List.of();
        }
        List<String> stops = new ArrayList<>();
        (stop.isArray() ? stop : List.of(stop)).forEach(one -> stops.add(one.isTextual() ? one.textValue() : ""));
        if (stops.size() > MAX_STOPS || stops.contains("")) {
            throw ApiException.invalid("stop: expected a text or up to four, none empty, got " + stop, "stop");
        }
        return stops;
    }

    private static void require(boolean holds, String param, String expected, Number got) {
        if (!holds) {
            throw ApiException.invalid(param + ": expected a value " + expected + ", got " + got, param);
        }
    }
}
