package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A pod's conditions, read and written. */
final class PodConditions {
    private PodConditions() {}

    static Optional<PodCondition> find(Pod pod, String type) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    static Pod met(Pod pod, String type, String now) {
        return with(pod, type, true, null, null, now);
    }

    static Pod unmet(Pod pod, String type, String reason, String message, String now) {
        return with(pod, type, false, reason, message, now);
    }

    static Pod with(Pod pod, String type, boolean value, String reason, String message, String now) {
        List<PodCondition> conditions = new ArrayList<>(pod.getStatus().getConditions());
        conditions.removeIf(condition -> condition.getType().equals(type));
        conditions.add(new PodConditionBuilder()
                .withType(type)
                .withStatus(value ? "True" : "False")
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(now)
                .build());
        return new PodBuilder(pod)
                .editStatus()
                .withConditions(conditions)
                .endStatus()
                .build();
    }
}
