package dev.outpost.provider.k8s.task;

import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.reason.ApiReasons;
import dev.outpost.provider.support.MonotonicProgress;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The context of one start: its deadline and cancellation, its progress, and its environment. */
public record StartContext(CancellableDeadline deadline, MonotonicProgress progress, ProviderContext context) {

    public static StartContext of(
            CancellableDeadline deadline, Consumer<ProvisioningStep> listener, ProviderContext context) {
        return new StartContext(deadline, new MonotonicProgress(listener, deadline::elapsed), context);
    }

    /** Returns the answer of the API server, after retries. Meanwhile the start reports the reason for the delay. */
    public <T> T ask(Supplier<T> call) {
        try {
            return new Retry(deadline, context, progress::report).call(call);
        } catch (KubernetesClientException failure) {
            throw deadline.isOver()
                    ? timeout(failure)
                    : new ClusterException(ApiReasons.of(failure).sentence(), failure);
        }
    }

    /** Fails if the start has taken longer than allowed. */
    public void requireTime() {
        if (deadline.isOver()) {
            throw timeout(null);
        }
    }

    private ClusterException timeout(Throwable cause) {
        return new ClusterException(
                "not ready within " + Span.text(deadline.timeout()) + " (outpost.k8s.start-timeout); it is still "
                        + progress.standing(),
                cause);
    }
}
