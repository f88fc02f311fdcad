package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A kind of GPU, and the requirements on nodes for machines that request it.
 *
 * @param name its name for users
 * @param resource the resource that requests it
 * @param nodeSelector labels that the node must have
 * @param terms sets of further labels, of which the node must have one; empty for no further requirement
 * @param tolerations the taints that the node may have
 */
public record GpuKind(
        String name,
        String resource,
        Map<String, String> nodeSelector,
        List<NodeSelectorTerm> terms,
        List<Toleration> tolerations) {

    public GpuKind {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(resource, "resource");
        nodeSelector = Map.copyOf(nodeSelector);
        terms = List.copyOf(terms);
        tolerations = List.copyOf(tolerations);
    }

    /** Returns the GPU that this pod would request; empty for a pod without a GPU. */
    static Optional<GpuKind> of(String name, PodSpec pod) {
        return pod.getContainers().stream()
                .flatMap(container -> Optional.ofNullable(container.getResources()).stream())
                .flatMap(resources -> resources.getLimits().keySet().stream())
                .filter(resource -> resource.contains("/"))
                .findFirst()
                .map(resource -> new GpuKind(
                        name,
                        resource,
                        Optional.ofNullable(pod.getNodeSelector()).orElse(Map.of()),
                        terms(pod),
                        pod.getTolerations()));
    }

    private static List<NodeSelectorTerm> terms(PodSpec pod) {
        return Optional.ofNullable(pod.getAffinity())
                .map(affinity -> affinity.getNodeAffinity())
                .map(affinity -> affinity.getRequiredDuringSchedulingIgnoredDuringExecution())
                .map(required -> required.getNodeSelectorTerms())
                .orElse(List.of());
    }
}
