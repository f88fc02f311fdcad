package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides by the scheduler's rules if a machine could run on a node. */
public final class NodeMatch {
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "NoExecute");

    private NodeMatch() {}

    /** Returns true if the node has the required labels. */
    static boolean isOfKind(Node node, GpuKind kind) {
        return fits(kind.nodeSelector(), kind.terms(), labels(node));
    }

    /**
     * Returns true if a node with these labels is suitable.
     *
     * @param nodeSelector labels that it must have
     * @param terms sets of further labels, of which it must have one; empty for no further requirement
     */
    public static boolean fits(
            Map<String, String> nodeSelector, List<NodeSelectorTerm> terms, Map<String, String> labels) {
        return labels.entrySet().containsAll(nodeSelector.entrySet())
                && (terms.isEmpty() || terms.stream().anyMatch(term -> matches(term, labels)));
    }

    /** Returns the first taint that keeps the pod away, because no toleration matches it. */
    static Optional<String> untolerated(Node node, List<Toleration> tolerations) {
        return Optional.ofNullable(node.getSpec()).stream()
                .flatMap(spec -> spec.getTaints().stream())
                .filter(taint -> EFFECTS.contains(taint.getEffect()))
                .filter(taint -> tolerations.stream().noneMatch(toleration -> tolerates(toleration, taint)))
                .map(NodeMatch::shown)
                .findFirst();
    }

    /** Returns true if the node accepts pods at all. */
    static boolean isReady(Node node) {
        boolean cordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        return !cordoned
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    static Map<String, String> labels(Node node) {
        return Optional.ofNullable(node.getMetadata().getLabels()).orElse(Map.of());
    }

    private static boolean matches(NodeSelectorTerm term, Map<String, String> labels) {
        return term.getMatchExpressions().stream().allMatch(requirement -> holds(requirement, labels));
    }

    private static boolean holds(NodeSelectorRequirement requirement, Map<String, String> labels) {
        String value = labels.get(requirement.getKey());
        return switch (requirement.getOperator()) {
            case "In" -> value != null && requirement.getValues().contains(value);
            case "NotIn" -> value == null || !requirement.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" ->
                value != null && number(value) > number(requirement.getValues().getFirst());
            case "Lt" ->
                value != null && number(value) < number(requirement.getValues().getFirst());
            default -> false;
        };
    }

    /** Parses a label. A label that is not a number becomes NaN, which matches no comparison, as in the scheduler. */
    private static double number(String text) {
        return text.matches("-?\\d{1,18}") ? Long.parseLong(text) : Double.NaN;
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        boolean effect =
                isEmpty(toleration.getEffect()) || toleration.getEffect().equals(taint.getEffect());
        boolean key = isEmpty(toleration.getKey()) || toleration.getKey().equals(taint.getKey());
        boolean value = "Exists".equals(toleration.getOperator())
                || orEmpty(toleration.getValue()).equals(orEmpty(taint.getValue()));
        return effect && key && value;
    }

    private static String shown(Taint taint) {
        return taint.getKey() + (isEmpty(taint.getValue()) ? "" : "=" + taint.getValue()) + ":" + taint.getEffect();
    }

    private static boolean isEmpty(String text) {
        return text == null || text.isEmpty();
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
