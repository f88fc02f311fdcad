package dev.outpost.provider.k8s.task;

import dev.outpost.provider.k8s.reason.ApiProblem;
import dev.outpost.provider.k8s.reason.ApiReasons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asks the API server again as long as its answer may yet become another, the thing is wanted, and there is time. */
public final class Retry {
    private final CancellableDeadline deadline;
    private final Consumer<String> trouble;
    private final Backoff backoff;
    private final ForbiddenGracePeriod forbiddenGrace;
    private boolean hasTriedCredentials;

    /**
     * For one call.
     *
     * @param trouble hears why it is made again
     */
    public Retry(CancellableDeadline deadline, ProviderContext context, Consumer<String> trouble) {
        PollingSettings polling = context.polling();
        this.deadline = deadline;
        this.trouble = trouble;
        this.backoff = new Backoff(polling.firstRetry(), polling.longestRetry(), context.random());
        this.forbiddenGrace = new ForbiddenGracePeriod(polling.refusal(), deadline::elapsed);
    }

    /**
     * The answer of the call.
     *
     * @throws KubernetesClientException the last failure, when it is final or the time is over
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

    /** A server that asks to wait is given at least that. */
    private Duration pause(ApiProblem problem) {
        Duration own = backoff.next();
        return problem.after().filter(asked -> asked.compareTo(own) > 0).orElse(own);
    }
}
