package dev.outpost.provider.k8s.fleet;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.task.StartContext;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes the grants of a machine, in its Secret, without losing concurrent changes. */
public final class GrantsChange {
    private static final Logger LOG = LoggerFactory.getLogger(GrantsChange.class);
    private static final String CHANGED = "outpost.dev/grants-changed";

    private final Cluster cluster;
    private final String machine;
    private final StartContext context;

    public GrantsChange(Cluster cluster, String machine, StartContext context) {
        this.cluster = cluster;
        this.machine = machine;
        this.context = context;
    }

    public void apply(UnaryOperator<Stream<String>> change) {
        while (!tryApply(change)) {
            context.requireTime();
        }
        nudge();
    }

    private boolean tryApply(UnaryOperator<Stream<String>> change) {
        Secret seen = context.ask(() -> cluster.secret(machine))
                .orElseThrow(() -> new ClusterException(machine + " has no Secret yet, or none any more."));
        String patch = Serialization.asJson(Map.of(
                "metadata", Map.of("resourceVersion", seen.getMetadata().getResourceVersion()),
                "data",
                        Map.of(
                                MachineKey.GRANTS,
                                MachineKey.ofGrants(change.apply(MachineKey.grants(seen.getData()))))));
        return context.ask(() -> cluster.patchSeen(seen, patch)).isPresent();
    }

    /** Changes the pod, so that the kubelet updates its Secret immediately. Without that, an update takes a minute or two. */
    private void nudge() {
        String now = context.context().clock().instant().toString();
        String patch = Serialization.asJson(Map.of("metadata", Map.of("annotations", Map.of(CHANGED, now))));
        try {
            cluster.pod(machine).ifPresent(pod -> cluster.patch(pod, patch));
        } catch (KubernetesClientException failure) {
            LOG.info("{} learns of its grants when its kubelet looks next: {}", machine, failure.getMessage());
        }
    }
}
