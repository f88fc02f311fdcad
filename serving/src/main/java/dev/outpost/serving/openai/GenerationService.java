package dev.outpost.serving.openai;

import dev.outpost.models.Sampling;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.GenerationStream;
import dev.outpost.serving.engine.TextRequest;
import dev.outpost.serving.gateway.UsageReporter;
import dev.outpost.serving.http.ApiError;
import dev.outpost.serving.http.ApiException;
import dev.outpost.serving.http.RequestGuard;
import dev.outpost.serving.http.ServingKeyFilter;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Begins the answer to the current request, and ends it if the client disconnects. */
@Singleton
class GenerationService {
    /** The header with the maximum number of seconds that a request may take, if less than the server's own limit. */
    static final String TIMEOUT_HEADER = "X-Request-Timeout";

    private final ServingConfig config;
    private final CurrentVertxRequest current;
    private final UsageReporter usage;

    GenerationService(ServingConfig config, CurrentVertxRequest current, UsageReporter usage) {
        this.usage = usage;
        this.config = config;
        this.current = current;
    }

    /** Returns the constraint of the answer to the current request; null for none. Cancels the compilation if the client disconnects. */
    private TokenConstraint constraint(GeneratingModel model, OutputFormat format) {
        RoutingContext routing = current.getCurrent();
        String key = ServingKeyFilter.keyOf(routing);
        String caller = key.isEmpty() ? RequestGuard.address(routing) : key;
        return format.constraint(model, caller, routing.response()::closed);
    }

    /**
     * Begins an answer, and waits for its first piece, so that a refusal can still set the status. Compiles a schema after all other
     * checks.
     *
     * @param format null for a text of any form
     */
    GenerationStream begin(
            GeneratingModel model, List<int[]> prompts, SamplingFields fields, int logprobs, OutputFormat format)
            throws InterruptedException {
        RoutingContext routing = current.getCurrent();
        Sampling sampling = fields.sampling();
        prompts.forEach(prompt -> requireContext(model, prompt.length, sampling.maxTokens()));
        int min = fields.leastTokens();
        boolean hasSchema = format != null && format.isJson();
        if (min > 0 && hasSchema) {
            throw ApiException.invalid("min_tokens: a text with a schema ends when it is complete", "min_tokens");
        }
        int choices = fields.choices();
        List<String> stops = fields.stops();
        Set<Integer> stopTokens = fields.stopTokens();
        long deadline = System.nanoTime() + timeout(routing).toNanos();
        TokenConstraint constraint = null;
        if (hasSchema) {
            constraint = constraint(model, format);
        } else if (min > 0 && !sampling.ignoresEnd()) {
            constraint = model.endingAfter(min, stopTokens);
        }
        String key = ServingKeyFilter.keyOf(routing);
        TextRequest request = new TextRequest(
                prompts,
                choices,
                sampling,
                stops,
                stopTokens,
                min,
                logprobs,
                constraint,
                key,
                fields.priorityOr0(),
                (promptTokens, cachedTokens, newTokens, time) ->
                        usage.record(key, model.name(), promptTokens, cachedTokens, newTokens, time),
                deadline);
        GenerationStream stream = GenerationStream.begin(model, request);
        routing.addEndHandler(ended -> stream.close());
        stream.awaitFirst();
        return stream;
    }

    static void requireContext(GeneratingModel model, int promptTokens, int newTokens) {
        if ((long) promptTokens + newTokens > model.textTokens()) {
            throw new ApiException(
                    400,
                    new ApiError(
                            "This model's maximum context length is " + model.textTokens()
                                    + " tokens. However, you requested "
                                    + ((long) promptTokens + newTokens) + " tokens (" + promptTokens
                                    + " in the prompt, " + newTokens
                                    + " in the completion). Please reduce the length of either",
                            "invalid_request_error",
                            "messages",
                            "context_length_exceeded"));
        }
    }

    /**
     * Records the use of a current request that generates no text.
     *
     * @param begun the time of the start, by {@link System#nanoTime}
     */
    void used(String model, int tokens, long begun) {
        usage.record(
                ServingKeyFilter.keyOf(current.getCurrent()),
                model,
                tokens,
                0,
                0,
                Duration.ofNanos(System.nanoTime() - begun));
    }

    private Duration timeout(RoutingContext routing) {
        String text = routing.request().getHeader(TIMEOUT_HEADER);
        if (text == null) {
            return config.deadline();
        }
        try {
            double seconds = Double.parseDouble(text);
            if (seconds > 0) {
                return Duration.ofMillis(
                        (long) (Math.min(seconds * 1000, config.deadline().toMillis())));
            }
        } catch (NumberFormatException ignored) {
            // The error is reported below.
        }
        throw ApiException.invalid(TIMEOUT_HEADER + ": expected seconds, got \"" + text + "\"", null);
    }
}
