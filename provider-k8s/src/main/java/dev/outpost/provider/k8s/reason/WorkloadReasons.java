package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.QueueSymptom;
import dev.outpost.provider.k8s.reason.text.Wording;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Interprets the messages of Kueue's Workload about a Job that it has not started. */
record WorkloadReasons(GenericKubernetesResource workload, String queue, OptionalInt ahead) {
    private static final String QUOTA_RESERVED = "QuotaReserved";

    /** A condition of the Workload, its message on one line. */
    private record Condition(String type, String status, String reason, String message) {
        boolean isTrue() {
            return "True".equals(status);
        }
    }

    Finding finding() {
        if (condition(QUOTA_RESERVED).filter(Condition::isTrue).isPresent()) {
            return QueueSymptom.QUOTA_RESERVED.found(reserved());
        }
        return condition("Evicted")
                .filter(Condition::isTrue)
                .map(this::takenBack)
                .or(() -> condition(QUOTA_RESERVED).map(this::pending))
                .orElseGet(() -> QueueSymptom.QUEUED.found("waiting in the Kueue queue " + placed()));
    }

    /** Returns the reason why Kueue took its quota back, if it did. */
    Optional<String> eviction() {
        return condition("Evicted").filter(Condition::isTrue).map(Condition::message);
    }

    private Finding takenBack(Condition evicted) {
        return QueueSymptom.QUOTA_TAKEN_BACK.found(
                "Kueue took its quota back and queued it again in " + placed() + ": " + evicted.message());
    }

    private Finding pending(Condition condition) {
        String message = condition.message();
        if (message.endsWith("doesn't exist")) {
            return QueueSymptom.QUEUE_MISSING.found("no such Kueue queue: " + message);
        }
        if (message.endsWith("is inactive")) {
            return QueueSymptom.QUEUE_STOPPED.found("the Kueue queue " + queue + " admits nothing: " + message);
        }
        return message.isEmpty()
                ? QueueSymptom.QUEUED.found("waiting in the Kueue queue " + placed())
                : quota(condition, assignment(message));
    }

    /** Returns the finding of missing quota. Several flavors may have been tried. If one of them is only in use, waiting may help. */
    private Finding quota(Condition condition, String message) {
        if (message.contains("insufficient unused quota")) {
            return QueueSymptom.QUOTA_IN_USE.found("waiting for quota in the Kueue queue " + placed() + ": " + message);
        }
        if (message.contains("maximum capacity") || condition.reason().equals("ExceedsMaxQuota")) {
            return QueueSymptom.QUOTA_TOO_SMALL.found(
                    "the Kueue queue " + queue + " can never hold the machine: " + message);
        }
        return QueueSymptom.NOT_ADMITTED.found(
                "the Kueue queue " + placed() + " has not admitted it: " + condition.reason() + ": " + message);
    }

    /** Returns the message without the opening that every refusal has. */
    private static String assignment(String message) {
        return message.replaceFirst("^couldn't assign flavors to pod set [^:]*: ", "");
    }

    private String placed() {
        return ahead.isPresent() ? queue + " (" + Wording.ordinal(ahead.getAsInt() + 1) + " in line)" : queue;
    }

    private String reserved() {
        List<String> open = openChecks();
        String waiting = open.isEmpty() ? "waiting to be let go" : "waiting for " + String.join(", ", open);
        return "the Kueue queue " + queue + " has reserved quota, " + waiting;
    }

    private List<String> openChecks() {
        List<String> open = new ArrayList<>();
        for (Map<?, ?> check : maps("admissionChecks")) {
            if (!"Ready".equals(check.get("state"))) {
                String message = text(check, "message");
                open.add("its check " + check.get("name") + (message.isEmpty() ? "" : " (" + message + ")"));
            }
        }
        return open;
    }

    private Optional<Condition> condition(String type) {
        return maps("conditions").stream()
                .filter(condition -> type.equals(condition.get("type")))
                .map(condition -> new Condition(
                        type, text(condition, "status"), text(condition, "reason"), text(condition, "message")))
                .findFirst();
    }

    /** Returns a list of objects in the status. */
    private List<Map<?, ?>> maps(String field) {
        List<Map<?, ?>> maps = new ArrayList<>();
        if (workload.get("status", field) instanceof List<?> list) {
            for (Object item : list) {
                if (item instanceof Map<?, ?> map) {
                    maps.add(map);
                }
            }
        }
        return maps;
    }

    private static String text(Map<?, ?> map, String key) {
        return map.get(key) instanceof String text ? text.strip() : "";
    }
}
