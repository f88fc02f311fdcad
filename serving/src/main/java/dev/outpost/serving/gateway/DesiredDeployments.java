package dev.outpost.serving.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The deployments that a backend wants.
 *
 * @param deployments by their names
 * @param isComplete whether a replica that is not listed is not wanted
 * @param takesFirstTokens whether it knows the field of reports for times to first tokens; an older backend refuses it
 */
record DesiredDeployments(Map<String, Order> deployments, boolean isComplete, boolean takesFirstTokens) {
    static final DesiredDeployments NONE = new DesiredDeployments(Map.of(), false, false);

    /**
     * Of one deployment.
     *
     * @param max how many replicas it may have; 0 where it is being removed
     * @param failures replicas that failed one after the other, with none that serves
     * @param text a sentence about it
     */
    record Order(String name, String project, int max, int failures, String text, List<ReplicaOrder> replicas) {}

    /**
     * Of one replica.
     *
     * @param machine the id by which the backend knows it
     * @param isReady whether the machine can be used
     * @param isDraining whether it gets no new requests
     */
    record ReplicaOrder(
            String machine, int revision, String model, Optional<String> dtype, boolean isReady, boolean isDraining) {}

    boolean wants(String deployment, String machine) {
        Order order = deployments.get(deployment);
        return order != null
                && order.replicas().stream().anyMatch(one -> one.machine().equals(machine));
    }

    /** These, and those of others that are not among them. */
    DesiredDeployments withOthers(DesiredDeployments others) {
        Map<String, Order> all = new LinkedHashMap<>(others.deployments());
        all.putAll(deployments);
        return new DesiredDeployments(all, isComplete, takesFirstTokens);
    }

    /** Empty if the answer is not a whole list of orders, as that of a proxy may be: then nothing is to be done. */
    static Optional<DesiredDeployments> read(JsonNode answer) {
        boolean isWhole = answer.path("deployments").isArray();
        Map<String, Order> all = new LinkedHashMap<>();
        for (JsonNode one : answer.path("deployments")) {
            isWhole &= one.path("name").isTextual() && one.path("replicas").isArray();
            List<ReplicaOrder> replicas = new ArrayList<>();
            one.path("replicas").forEach(replica -> replicas.add(replica(replica)));
            String name = one.path("name").asText();
            all.put(
                    name,
                    new Order(
                            name,
                            one.path("project").asText(),
                            one.path("max").asInt(),
                            one.path("failures").asInt(),
                            one.path("text").asText(),
                            List.copyOf(replicas)));
        }
        boolean takesFirstTokens = false;
        for (JsonNode field : answer.path("takes")) {
            takesFirstTokens |= field.asText().equals("zeroToToken");
        }
        return isWhole
                ? Optional.of(new DesiredDeployments(all, isComplete(answer, all), takesFirstTokens))
                : Optional.empty();
    }

    /** An older backend does not say it; then a list that has become empty is not taken for one. */
    private static boolean isComplete(JsonNode answer, Map<String, Order> all) {
        return answer.path("complete").asBoolean(!all.isEmpty());
    }

    private static ReplicaOrder replica(JsonNode one) {
        return new ReplicaOrder(
                one.path("machine").asText(),
                one.path("revision").asInt(),
                one.path("model").asText(),
                Optional.ofNullable(one.path("dtype").textValue()),
                one.path("phase").asText().equals("READY"),
                one.path("draining").asBoolean());
    }
}
