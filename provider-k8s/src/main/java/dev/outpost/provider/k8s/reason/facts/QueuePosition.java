package dev.outpost.provider.k8s.reason.facts;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The number of workloads ahead of one, in the answer of Kueue's visibility API to {@code
 * /apis/visibility.kueue.x-k8s.io/v1beta1/namespaces/NAMESPACE/localqueues/QUEUE/pendingworkloads}.
 */
public final class QueuePosition {
    private QueuePosition() {}

    /**
     * Returns the number of workloads ahead in the queue of the whole cluster; 0 for the next one.
     *
     * @param summary the {@code PendingWorkloadsSummary}
     * @return empty if the Workload of that name is not pending
     */
    public static OptionalInt of(GenericKubernetesResource summary, String workload) {
        if (!(summary.get("items") instanceof List<?> items)) {
            return OptionalInt.empty();
        }
        return items.stream()
                .filter(item -> workload.equals(name(item)))
                .mapToInt(QueuePosition::position)
                .filter(position -> position >= 0)
                .findFirst();
    }

    private static Object name(Object item) {
        return item instanceof Map<?, ?> map && map.get("metadata") instanceof Map<?, ?> metadata
                ? metadata.get("name")
                : null;
    }

    private static int position(Object item) {
        return item instanceof Map<?, ?> map && map.get("positionInClusterQueue") instanceof Number number
                ? number.intValue()
                : -1;
    }
}
