package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The free resources of a node. */
final class Capacity {
    private Capacity() {}

    /** Returns the resources of which a node has too little left for a pod. */
    static List<String> missing(Pod pod, Node node, List<Pod> there) {
        Map<String, BigDecimal> free = allocatable(node);
        there.forEach(other -> requests(other)
                .forEach((resource, amount) -> free.computeIfPresent(resource, (name, left) -> left.subtract(amount))));
        return new TreeMap<>(requests(pod))
                .entrySet().stream()
                        .filter(request -> request.getValue().signum() > 0)
                        .filter(request -> free.getOrDefault(request.getKey(), BigDecimal.ZERO)
                                        .compareTo(request.getValue())
                                < 0)
                        .map(Map.Entry::getKey)
                        .toList();
    }

    private static Map<String, BigDecimal> allocatable(Node node) {
        Map<String, BigDecimal> amounts = new HashMap<>();
        node.getStatus().getAllocatable().forEach((name, amount) -> amounts.put(name, amount.getNumericalAmount()));
        return amounts;
    }

    /** Returns the sum of the requests of a pod's containers; a limit without a request counts as a request. */
    private static Map<String, BigDecimal> requests(Pod pod) {
        Map<String, BigDecimal> amounts = new HashMap<>();
        pod.getSpec().getContainers().stream()
                .map(Container::getResources)
                .filter(Objects::nonNull)
                .forEach(resources -> requests(resources)
                        .forEach((name, amount) -> amounts.merge(name, amount.getNumericalAmount(), BigDecimal::add)));
        return amounts;
    }

    private static Map<String, Quantity> requests(ResourceRequirements resources) {
        Map<String, Quantity> requests = new HashMap<>();
        Optional.ofNullable(resources.getLimits()).ifPresent(requests::putAll);
        Optional.ofNullable(resources.getRequests()).ifPresent(requests::putAll);
        return requests;
    }
}
