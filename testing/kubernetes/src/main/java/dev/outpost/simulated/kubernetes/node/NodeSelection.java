package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The nodes that a pod selects: by its node selector, and by the terms of its required node affinity. */
final class NodeSelection {
    private NodeSelection() {}

    static boolean matches(PodSpec spec, Node node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        Map<String, String> wanted = Optional.ofNullable(spec.getNodeSelector()).orElse(Map.of());
        return labels.entrySet().containsAll(wanted.entrySet())
                && required(spec).map(selector -> matchesAny(selector, node)).orElse(true);
    }

    /** Returns the sum of the weights of the preferred terms that a node meets. */
    static int preference(PodSpec spec, Node node) {
        return Optional.ofNullable(spec.getAffinity())
                .map(Affinity::getNodeAffinity)
                .map(NodeAffinity::getPreferredDuringSchedulingIgnoredDuringExecution)
                .orElse(List.of())
                .stream()
                .filter(preferred -> matchesAll(preferred.getPreference(), node))
                .mapToInt(PreferredSchedulingTerm::getWeight)
                .sum();
    }

    private static Optional<NodeSelector> required(PodSpec spec) {
        return Optional.ofNullable(spec.getAffinity())
                .map(Affinity::getNodeAffinity)
                .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution);
    }

    /** Terms are alternatives; one without requirements matches nothing. */
    private static boolean matchesAny(NodeSelector selector, Node node) {
        return selector.getNodeSelectorTerms().stream().anyMatch(term -> matchesAll(term, node));
    }

    private static boolean matchesAll(NodeSelectorTerm term, Node node) {
        boolean empty =
                term.getMatchExpressions().isEmpty() && term.getMatchFields().isEmpty();
        Map<String, String> fields = Map.of("metadata.name", node.getMetadata().getName());
        return !empty
                && term.getMatchExpressions().stream()
                        .allMatch(one -> matches(one, node.getMetadata().getLabels()))
                && term.getMatchFields().stream().allMatch(one -> matches(one, fields));
    }

    private static boolean matches(NodeSelectorRequirement requirement, Map<String, String> labels) {
        String value = labels.get(requirement.getKey());
        List<String> values = requirement.getValues();
        return switch (requirement.getOperator()) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> value != null && Long.parseLong(value) > Long.parseLong(values.getFirst());
            case "Lt" -> value != null && Long.parseLong(value) < Long.parseLong(values.getFirst());
            default ->
                throw new IllegalArgumentException(
                        "operator: expected one of a node selector, got " + requirement.getOperator());
        };
    }
}
