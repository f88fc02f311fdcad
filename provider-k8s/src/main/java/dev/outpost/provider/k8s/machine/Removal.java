package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.reason.ApiReasons;
import dev.outpost.provider.k8s.task.Demand;
import dev.outpost.provider.k8s.task.Retry;
import dev.outpost.provider.k8s.task.Surroundings;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes a machine, and everything that belongs to it. */
public final class Removal {
    private static final Logger LOG = LoggerFactory.getLogger(Removal.class);

    private final Cluster cluster;
    private final String machine;
    private final Duration lease;
    private final Surroundings surroundings;

    /**
     * @param lease how long the machine lives without a client
     */
    public Removal(Cluster cluster, String machine, Duration lease, Surroundings surroundings) {
        this.cluster = cluster;
        this.machine = machine;
        this.lease = lease;
        this.surroundings = surroundings;
    }

    /** Tries for a bounded time; a machine that cannot be deleted ends by itself, so that nobody is told but the log. */
    public void run() {
        Demand demand = new Demand(surroundings.pace().removal(), surroundings.nanos());
        try {
            new Retry(demand, surroundings, trouble -> LOG.debug("{} is not deleted yet: {}", machine, trouble))
                    .call(this::delete);
        } catch (KubernetesClientException failure) {
            LOG.warn(
                    "{} could not be deleted: {} It ends by itself {} s after its client did",
                    machine,
                    ApiReasons.of(failure).sentence(),
                    lease.toSeconds());
        }
    }

    private Void delete() {
        cluster.delete(machine);
        return null;
    }
}
