package dev.outpost.provider.k8s.task;

import dev.outpost.channel.Backoff;
import dev.outpost.provider.k8s.reason.ApiProblem;
import dev.outpost.provider.k8s.reason.ApiReasons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Retries a request to the API server as long as a retry may succeed, the work is not cancelled, and time is left.
 */
public final class Retry {
    private final CancellableDeadline deadline;
    private final Consumer<String> trouble;
    private final Backoff.Pauses pauses;
    private final ForbiddenGracePeriod forbiddenGrace;
    private boolean hasTriedCredentials;

    /**
     * Makes a retry for one call.
     *
     * @param trouble receives the reason of each retry
     */
    public Retry(CancellableDeadline deadline, ProviderContext context, Consumer<String> trouble) {
        PollingSettings polling = context.polling();
        this.deadline = deadline;
        this.trouble = trouble;
        this.pauses = polling.retry().begin(context.nanos(), context.random());
        this.forbiddenGrace = new ForbiddenGracePeriod(polling.refusal(), deadline::elapsed);
    }

    /**
     * Makes the call until it succeeds.
     *
     * @throws KubernetesClientException the last failure, if it is final or the time is over
     */
    public <T> T call(Supplier<T> call) {
        while (true) {
            deadline.requireWanted();
            try {
                return call.get();
            } catch (KubernetesClientException failure) {
                ApiProblem problem = ApiReasons.of(failure);
                if (deadline.isOver() || !allowRetry(problem)) {
                    throw failure;
                }
                trouble.accept(problem.sentence());
                deadline.pause(pause(problem));
            }
        }
    }

    private boolean allowRetry(ApiProblem problem) {
        return switch (problem.retry()) {
            case NEVER -> false;
            case YES -> true;
            case ONCE -> {
                boolean first = !hasTriedCredentials;
                hasTriedCredentials = true;
                yield first;
            }
            case BRIEFLY -> forbiddenGrace.refused().isPositive();
        };
    }

    /** Returns the pause before the next attempt; at least the time for which the server asks. */
    private Duration pause(ApiProblem problem) {
        Duration own = pauses.next().orElseThrow();
        return problem.after().filter(asked -> asked.compareTo(own) > 0).orElse(own);
    }
}
