package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Lists the types of GPU that the nodes have, and the number of free ones. */
final class GpuCheck {
    private static final String NAME = "GPU nodes";
    private static final String NO_DEVICES =
            "Install or restart NVIDIA's device plugin there, or set outpost.k8s.resource-name to the resource that they offer.";
    private static final String PRODUCT = "nvidia.com/gpu.product";

    private final Nodes nodes;
    private final List<GpuKind> kinds;

    GpuCheck(Nodes nodes, List<GpuKind> kinds) {
        this.nodes = nodes;
        this.kinds = kinds;
    }

    List<ClusterFinding> run() {
        List<ClusterFinding> findings = new ArrayList<>();
        kinds.forEach(kind -> ofKind(kind).ifPresent(findings::add));
        others().ifPresent(findings::add);
        if (findings.isEmpty()) {
            findings.add(ClusterFinding.warning(
                    NAME,
                    "none of " + counted(nodes.all().size()) + " has a GPU",
                    "Add a node with one, unless an autoscaler does; or set outpost.k8s.resource-name to nothing and"
                            + " compute on the CPU."));
        }
        return findings;
    }

    private Optional<ClusterFinding> ofKind(GpuKind kind) {
        List<Node> matching = nodes.all().stream()
                .filter(node -> isTyped(kind) && NodeMatch.isOfKind(node, kind))
                .toList();
        return matching.isEmpty() ? Optional.empty() : Optional.of(finding(kind, matching));
    }

    private ClusterFinding finding(GpuKind kind, List<Node> matching) {
        String name = "nodes with " + kind.name();
        long capacity = matching.stream()
                .mapToLong(node -> Nodes.capacity(node, kind.resource()))
                .sum();
        if (capacity == 0) {
            return ClusterFinding.warning(
                    name, counted(matching.size()) + ", but no " + kind.resource() + " on them", NO_DEVICES);
        }
        List<Node> usable = matching.stream()
                .filter(NodeMatch::isReady)
                .filter(node -> NodeMatch.untolerated(node, kind.tolerations()).isEmpty())
                .toList();
        String sentence = counted(matching.size()) + ", " + free(usable, kind.resource(), capacity);
        return withTrouble(name, sentence, matching, kind);
    }

    /**
     * Adds the problems of the matching nodes, such as their taints. Taints of nodes that are not ready do not count, because a machine
     * must not tolerate them.
     */
    private static ClusterFinding withTrouble(String name, String sentence, List<Node> matching, GpuKind kind) {
        List<String> taints = matching.stream()
                .filter(NodeMatch::isReady)
                .flatMap(node -> NodeMatch.untolerated(node, kind.tolerations()).stream())
                .distinct()
                .toList();
        long unready =
                matching.stream().filter(Predicate.not(NodeMatch::isReady)).count();
        String rest = unready == 0 ? "" : ", " + unready + " not ready or cordoned";
        long without = matching.stream()
                .filter(node -> Nodes.capacity(node, kind.resource()) == 0)
                .count();
        if (without > 0) {
            return ClusterFinding.warning(
                    name, sentence + rest + ", " + without + " without " + kind.resource(), NO_DEVICES);
        }
        return taints.isEmpty()
                ? ClusterFinding.ok(name, sentence + rest)
                : ClusterFinding.warning(
                        name,
                        sentence + rest + ", untolerated taint " + String.join(", ", taints),
                        "Tolerate it by outpost.k8s.tolerations, or remove it from the nodes that machines may have.");
    }

    /** Returns {@code 3 of 8 GPUs free}: the free GPUs of usable nodes, and the GPUs of all nodes. */
    private String free(List<Node> usable, String resource, long capacity) {
        if (nodes.pods().isEmpty()) {
            return capacity + " GPUs, how many are free is not known";
        }
        long free = usable.stream()
                .mapToLong(node -> nodes.free(node, resource).orElse(0L))
                .sum();
        return free + " of " + capacity + " GPUs free";
    }

    /** Reports nodes that offer the resource but have a GPU of no type that can be requested. */
    private Optional<ClusterFinding> others() {
        String resource = kinds.isEmpty() ? "" : kinds.getFirst().resource();
        Map<String, Long> products = nodes.all().stream()
                .filter(node -> Nodes.capacity(node, resource) > 0)
                .filter(node -> kinds.stream().noneMatch(kind -> isTyped(kind) && NodeMatch.isOfKind(node, kind)))
                .collect(Collectors.groupingBy(
                        node -> NodeMatch.labels(node).getOrDefault(PRODUCT, "unlabelled"),
                        LinkedHashMap::new,
                        Collectors.counting()));
        return products.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ClusterFinding.ok("other GPU nodes", text(products) + ": machines of type any may get them"));
    }

    private static boolean isTyped(GpuKind kind) {
        return !kind.terms().isEmpty() || !kind.nodeSelector().isEmpty();
    }

    private static String text(Map<String, Long> products) {
        return products.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String counted(int count) {
        return count + (count == 1 ? " node" : " nodes");
    }
}
