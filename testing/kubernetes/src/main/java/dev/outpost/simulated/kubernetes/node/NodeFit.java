package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/** The scheduler's filters, which decide in this order if a pod may run on a node. */
final class NodeFit {
    private NodeFit() {}

    /** Returns why the pod may not run on the node, in the scheduler's words, by the first filter that refuses it; empty if it may. */
    static List<String> obstacles(Pod pod, Node node, List<Pod> there) {
        if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            return List.of("node(s) were unschedulable");
        }
        Optional<String> taint = Taints.untolerated(pod, node);
        if (taint.isPresent()) {
            return List.of(taint.get());
        }
        if (!NodeSelection.matches(pod.getSpec(), node)) {
            return List.of("node(s) didn't match Pod's node affinity/selector");
        }
        return Capacity.missing(pod, node, there).stream()
                .map(resource -> "Insufficient " + resource)
                .toList();
    }
}
