package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.reason.ApiReasons;
import dev.outpost.provider.k8s.task.CancellableDeadline;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.Retry;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes a machine with all of its objects. */
public final class JobDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(JobDeletion.class);

    private final Cluster cluster;
    private final String machine;
    private final Duration lease;
    private final ProviderContext context;

    /** @param lease the time for which the machine lives without a client */
    public JobDeletion(Cluster cluster, String machine, Duration lease, ProviderContext context) {
        this.cluster = cluster;
        this.machine = machine;
        this.lease = lease;
        this.context = context;
    }

    /** Tries for a bounded time. A failure is only logged, because the machine ends by itself without its client. */
    public void run() {
        CancellableDeadline deadline = new CancellableDeadline(context.polling().removal(), context.nanos());
        try {
            new Retry(deadline, context, trouble -> LOG.debug("{} is not deleted yet: {}", machine, trouble))
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
