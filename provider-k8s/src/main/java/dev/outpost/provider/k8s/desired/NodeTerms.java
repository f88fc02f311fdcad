package dev.outpost.provider.k8s.desired;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import java.util.Map;

/** Decides if a node's labels fulfil a term, by the rules of the scheduler. */
final class NodeTerms {
    static final String IN = "In";
    static final String DOES_NOT_EXIST = "DoesNotExist";

    private NodeTerms() {}

    /** The term of nodes that have all of these labels. */
    static NodeSelectorTerm of(Map<String, String> labels) {
        return new NodeSelectorTermBuilder()
                .withMatchExpressions(labels.entrySet().stream()
                        .map(label -> new NodeSelectorRequirementBuilder()
                                .withKey(label.getKey())
                                .withOperator(IN)
                                .withValues(label.getValue())
                                .build())
                        .toList())
                .build();
    }

    static boolean fits(NodeSelectorTerm term, Map<String, String> labels) {
        return term.getMatchExpressions().stream().allMatch(requirement -> fits(requirement, labels));
    }

    private static boolean fits(NodeSelectorRequirement requirement, Map<String, String> labels) {
        String value = labels.get(requirement.getKey());
        return switch (requirement.getOperator()) {
            case IN -> requirement.getValues().contains(value);
            case DOES_NOT_EXIST -> value == null;
            default ->
                throw new IllegalArgumentException(
                        "operator: expected " + IN + " or " + DOES_NOT_EXIST + ", got " + requirement.getOperator());
        };
    }
}
