package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.cluster.Cluster;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Reads the nodes of a cluster, which may be many, once in half a minute at most. Thread-safe. */
final class NodeReader {
    private static final long INTERVAL = Duration.ofSeconds(30).toNanos();

    private final Cluster cluster;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private List<Node> nodes = List.of();
    private long read;
    private boolean hasRead;

    /** @param nanos a monotonic clock */
    NodeReader(Cluster cluster, LongSupplier nanos) {
        this.cluster = cluster;
        this.nanos = nanos;
    }

    /**
     * The nodes as they were half a minute ago or later; none where they could not be read, of late.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if they are read now and that fails
     */
    List<Node> nodes() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            if (!hasRead || now - read >= INTERVAL) {
                hasRead = true;
                read = now;
                nodes = List.of();
                nodes = cluster.nodes();
            }
            return nodes;
        } finally {
            lock.unlock();
        }
    }
}
