package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The taints of nodes, and the pods that tolerate them. */
final class Taints {
    private static final Set<String> KEEPING_AWAY = Set.of("NoSchedule", "NoExecute");

    private Taints() {}

    /** Returns the first taint that the pod does not tolerate, in the scheduler's words. */
    static Optional<String> untolerated(Pod pod, Node node) {
        return node.getSpec().getTaints().stream()
                .filter(taint -> KEEPING_AWAY.contains(taint.getEffect()))
                .filter(taint -> pod.getSpec().getTolerations().stream().noneMatch(other -> tolerates(other, taint)))
                .findFirst()
                .map(taint -> "node(s) had untolerated taint {" + taint.getKey() + ": " + text(taint.getValue()) + "}");
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        boolean effect =
                isBlank(toleration.getEffect()) || toleration.getEffect().equals(taint.getEffect());
        boolean exists = "Exists".equals(toleration.getOperator());
        boolean key =
                isBlank(toleration.getKey()) ? exists : toleration.getKey().equals(taint.getKey());
        return effect && key && (exists || text(toleration.getValue()).equals(text(taint.getValue())));
    }

    private static boolean isBlank(String text) {
        return text == null || text.isEmpty();
    }

    private static String text(String value) {
        return Objects.requireNonNullElse(value, "");
    }
}
