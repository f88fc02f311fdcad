package dev.outpost.provider.k8s.task;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.reason.ApiReasons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.smallrye.mutiny.Uni;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An operation on the cluster other than a start. It has a separate client, and retries for a bounded time. */
public final class AdminOperation {
    private static final Logger LOG = LoggerFactory.getLogger(AdminOperation.class);

    private final Cluster cluster;
    private final CancellableDeadline deadline;
    private final ProviderContext context;

    private AdminOperation(Cluster cluster, CancellableDeadline deadline, ProviderContext context) {
        this.cluster = cluster;
        this.deadline = deadline;
        this.context = context;
    }

    /** Runs the operation with each subscription. */
    public static <T> Uni<T> uni(ProviderContext context, KubernetesConfig config, Function<AdminOperation, T> work) {
        return context.task(
                "outpost-operation",
                context.polling().operation(),
                deadline -> run(context, config, deadline, work),
                result -> {});
    }

    private static <T> T run(
            ProviderContext context,
            KubernetesConfig config,
            CancellableDeadline deadline,
            Function<AdminOperation, T> work) {
        try (Cluster cluster = context.clients().open(config)) {
            return work.apply(new AdminOperation(cluster, deadline, context));
        }
    }

    public Cluster cluster() {
        return cluster;
    }

    public ProviderContext surroundings() {
        return context;
    }

    public <T> T ask(Supplier<T> call) {
        try {
            return new Retry(deadline, context, trouble -> LOG.debug("asking again: {}", trouble)).call(call);
        } catch (KubernetesClientException failure) {
            throw new ClusterException(ApiReasons.of(failure).sentence(), failure);
        }
    }
}
