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

/** Something asked of the cluster besides a start: with a client of its own, and patience for a bounded time. */
public final class AdminOperation {
    private static final Logger LOG = LoggerFactory.getLogger(AdminOperation.class);

    private final Cluster cluster;
    private final CancellableDeadline demand;
    private final ProviderContext surroundings;

    private AdminOperation(Cluster cluster, CancellableDeadline demand, ProviderContext surroundings) {
        this.cluster = cluster;
        this.demand = demand;
        this.surroundings = surroundings;
    }

    /** Runs with each subscription. */
    public static <T> Uni<T> uni(ProviderContext surroundings, KubernetesConfig config, Function<AdminOperation, T> work) {
        return CancellableTask.uni(
                "outpost-errand",
                () -> new CancellableDeadline(surroundings.pace().errand(), surroundings.nanos()),
                demand -> run(surroundings, config, demand, work),
                result -> {});
    }

    private static <T> T run(
            ProviderContext surroundings, KubernetesConfig config, CancellableDeadline demand, Function<AdminOperation, T> work) {
        try (Cluster cluster = surroundings.clients().open(config)) {
            return work.apply(new AdminOperation(cluster, demand, surroundings));
        }
    }

    public Cluster cluster() {
        return cluster;
    }

    public ProviderContext surroundings() {
        return surroundings;
    }

    public <T> T ask(Supplier<T> call) {
        try {
            return new Retry(demand, surroundings, trouble -> LOG.debug("asking again: {}", trouble)).call(call);
        } catch (KubernetesClientException failure) {
            throw new ClusterException(ApiReasons.of(failure).sentence(), failure);
        }
    }
}
