package dev.outpost.serving.openai;

import dev.outpost.models.Sampling;
import dev.outpost.models.TokenConstraint;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.Answer;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.TextRequest;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/** Begins answers for the request under way, and ends them when its client has gone. */
@Singleton
class Answers {
    /** How many seconds a request may take, where it is less than the server's own bound. */
    static final String TIMEOUT_HEADER = "X-Request-Timeout";

    private final ServingConfig config;
    private final CurrentVertxRequest current;

    Answers(ServingConfig config, CurrentVertxRequest current) {
        this.config = config;
        this.current = current;
    }

    /** Waits until there is something to say, so that a refusal is one by its status. */
    Answer begin(
            GeneratingModel model, List<int[]> prompts, SamplingFields fields, int logprobs, TokenConstraint constraint)
            throws InterruptedException {
        RoutingContext routing = current.getCurrent();
        Sampling sampling = fields.sampling();
        TextRequest request = new TextRequest(
                prompts,
                fields.choices(),
                sampling,
                fields.stops(),
                logprobs,
                constraint,
                KeyFilter.keyOf(routing),
                fields.priorityOr0(),
                System.nanoTime() + timeout(routing).toNanos());
        Answer answer = Answer.begin(model, request);
        routing.addEndHandler(ended -> answer.close());
        answer.awaitFirst();
        return answer;
    }

    private Duration timeout(RoutingContext routing) {
        String said = routing.request().getHeader(TIMEOUT_HEADER);
        if (said == null) {
            return config.deadline();
        }
        try {
            double seconds = Double.parseDouble(said);
            if (seconds > 0) {
                return Duration.ofMillis(
                        (long) (Math.min(seconds * 1000, config.deadline().toMillis())));
            }
        } catch (NumberFormatException notANumber) {
            // Told below.
        }
        throw ApiException.invalid(TIMEOUT_HEADER + ": expected seconds, got \"" + said + "\"", null);
    }
}
