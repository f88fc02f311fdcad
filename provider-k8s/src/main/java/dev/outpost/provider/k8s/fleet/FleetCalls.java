package dev.outpost.provider.k8s.fleet;

import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.reason.ApiProblem;
import dev.outpost.provider.k8s.reason.ApiReasons;
import dev.outpost.provider.k8s.task.CancellableDeadline;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.StartContext;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.Function;

/**
 * Makes the requests of a control plane to the cluster. Retries them for a bounded time. Its exceptions say if another attempt may succeed.
 */
public final class FleetCalls {
    private final ProviderContext context;

    public FleetCalls(ProviderContext context) {
        this.context = context;
    }

    /** @param work makes the calls, in a context that retries each request until the time of the operation is over */
    public <T> T answer(Function<StartContext, T> work) {
        CancellableDeadline deadline = new CancellableDeadline(context.polling().operation(), context.nanos());
        try {
            return work.apply(StartContext.of(deadline, step -> {}, context));
        } catch (ClusterException failure) {
            throw new FleetException(kind(failure), "k8s: " + failure.getMessage(), failure);
        } catch (CancellableDeadline.WithdrawnException interrupted) {
            throw new FleetException(Kind.UNAVAILABLE, "k8s: the thread that asked was interrupted", interrupted);
        }
    }

    private static Kind kind(ClusterException refused) {
        return refused.getCause() instanceof KubernetesClientException failure && isFinal(ApiReasons.of(failure))
                ? Kind.REFUSED
                : Kind.UNAVAILABLE;
    }

    private static boolean isFinal(ApiProblem problem) {
        return switch (problem.retry()) {
            case NEVER, BRIEFLY -> true;
            case YES, ONCE -> false;
        };
    }
}
