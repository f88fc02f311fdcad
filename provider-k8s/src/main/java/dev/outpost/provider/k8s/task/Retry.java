package dev.outpost.provider.k8s.task;

import dev.outpost.provider.k8s.reason.ApiProblem;
import dev.outpost.provider.k8s.reason.ApiReasons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asks the API server again as long as its answer may yet become another, the thing is wanted, and there is time. */
public final class Retry {
    private final CancellableDeadline demand;
    private final Consumer<String> trouble;
    private final Backoff backoff;
    private final ForbiddenGracePeriod leniency;
    private boolean hasTriedCredentials;

    /**
     * For one call.
     *
     * @param trouble hears why it is made again
     */
    public Retry(CancellableDeadline demand, ProviderContext surroundings, Consumer<String> trouble) {
        PollingSettings pace = surroundings.pace();
        this.demand = demand;
        this.trouble = trouble;
        this.backoff = new Backoff(pace.firstRetry(), pace.longestRetry(), surroundings.random());
        this.leniency = new ForbiddenGracePeriod(pace.refusal(), demand::elapsed);
    }

    /**
     * The answer of the call.
     *
     * @throws KubernetesClientException the last failure, when it is final or the time is over
     */
    public <T> T call(Supplier<T> call) {
        while (true) {
            demand.requireWanted();
            try {
                return call.get();
            } catch (KubernetesClientException failure) {
                ApiProblem problem = ApiReasons.of(failure);
                if (demand.isOver() || !mayPass(problem)) {
                    throw failure;
                }
                trouble.accept(problem.sentence());
                demand.pause(pause(problem));
            }
        }
    }

    private boolean mayPass(ApiProblem problem) {
        return switch (problem.retry()) {
            case NEVER -> false;
            case YES -> true;
            case ONCE -> {
                boolean first = !hasTriedCredentials;
                hasTriedCredentials = true;
                yield first;
            }
            case BRIEFLY -> leniency.refused().isPositive();
        };
    }

    /** A server that asks to wait is given at least that. */
    private Duration pause(ApiProblem problem) {
        Duration own = backoff.next();
        return problem.after().filter(asked -> asked.compareTo(own) > 0).orElse(own);
    }
}
