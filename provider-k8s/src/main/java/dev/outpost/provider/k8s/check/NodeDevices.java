package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;

/** Distinguishes nodes whose GPUs are taken from nodes that offer none. The scheduler reports both in the same way. */
public final class NodeDevices {
    private NodeDevices() {}

    /**
     * Returns the number of nodes that would accept the pod but do not offer the GPU resource that it requests,
     * because their device plugin is missing or finds no healthy device.
     */
    public static int lacking(PodSpec pod, List<Node> nodes) {
        return GpuKind.of("", pod)
                .map(kind -> (int) nodes.stream()
                        .filter(node -> NodeMatch.isOfKind(node, kind) && NodeMatch.isReady(node))
                        .filter(node ->
                                NodeMatch.untolerated(node, kind.tolerations()).isEmpty())
                        .filter(node -> Nodes.capacity(node, kind.resource()) == 0)
                        .count())
                .orElse(0);
    }
}
