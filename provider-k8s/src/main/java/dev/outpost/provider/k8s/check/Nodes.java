package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes of a cluster and their pods.
 *
 * @param pods the pods of all namespaces that have not ended; empty if they may not be listed
 */
record Nodes(List<Node> all, Optional<List<Pod>> pods) {

    static long capacity(Node node, String resource) {
        return amount(node.getStatus().getAllocatable(), resource);
    }

    /** Returns the amount of a resource that is free on a node; empty if pods may not be listed. */
    Optional<Long> free(Node node, String resource) {
        return pods.map(running -> Math.max(0, capacity(node, resource) - taken(running, node, resource)));
    }

    private static long taken(List<Pod> running, Node node, String resource) {
        return running.stream()
                .filter(pod -> node.getMetadata().getName().equals(pod.getSpec().getNodeName()))
                .flatMap(pod -> pod.getSpec().getContainers().stream())
                .mapToLong(container -> Optional.ofNullable(container.getResources())
                        .map(ResourceRequirements::getLimits)
                        .map(limits -> amount(limits, resource))
                        .orElse(0L))
                .sum();
    }

    private static long amount(Map<String, Quantity> quantities, String resource) {
        Quantity quantity = quantities == null ? null : quantities.get(resource);
        return quantity == null ? 0 : Quantity.getAmountInBytes(quantity).longValue();
    }
}
