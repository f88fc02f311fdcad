package dev.outpost.provider.k8s.desired;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import java.util.Map;

/** Whether a node's labels fulfil a term, as the scheduler would judge. */
final class NodeTerms {
    static final String IN = "In";
    static final String DOES_NOT_EXIST = "DoesNotExist";

    private NodeTerms() {}

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
