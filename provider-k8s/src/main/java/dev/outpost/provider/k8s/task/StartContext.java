package dev.outpost.provider.k8s.task;

import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.reason.ApiReasons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The context of one start from its beginning to its end: whether it is wanted, its progress, and its surroundings. */
public record StartContext(CancellableDeadline demand, MonotonicProgress progress, ProviderContext surroundings) {

    public static StartContext of(CancellableDeadline demand, Consumer<ProvisioningStep> listener, ProviderContext surroundings) {
        return new StartContext(demand, new MonotonicProgress(listener, demand::elapsed), surroundings);
    }

    /** The answer of the API server, in the end; meanwhile the start reports the reason for the delay. */
    public <T> T ask(Supplier<T> call) {
        try {
            return new Retry(demand, surroundings, progress::report).call(call);
        } catch (KubernetesClientException failure) {
            throw demand.isOver()
                    ? timeout(failure)
                    : new ClusterException(ApiReasons.of(failure).sentence(), failure);
        }
    }

    /** Fails when the start takes longer than it may. */
    public void requireTime() {
        if (demand.isOver()) {
            throw timeout(null);
        }
    }

    private ClusterException timeout(Throwable cause) {
        return new ClusterException(
                "not ready within " + Span.text(demand.patience()) + " (outpost.k8s.start-timeout); it is still "
                        + progress.standing(),
                cause);
    }
}
