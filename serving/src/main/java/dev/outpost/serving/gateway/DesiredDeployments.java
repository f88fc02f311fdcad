package dev.outpost.serving.gateway;

import dev.outpost.rest.deployment.GatewayOrders;
import dev.outpost.rest.deployment.GatewayOrders.DeploymentOrder;
import dev.outpost.rest.machine.Phase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The desired deployments of a backend.
 *
 * @param deployments the deployments, by name
 * @param isComplete true if unlisted replicas are not wanted
 * @param takesFirstTokens true if the backend knows the field of reports for times to first tokens; an older backend refuses it
 */
record DesiredDeployments(Map<String, Order> deployments, boolean isComplete, boolean takesFirstTokens) {
    static final DesiredDeployments NONE = new DesiredDeployments(Map.of(), false, false);

    /**
     * The order for one deployment.
     *
     * @param max the most replicas that it may have; 0 while it is being removed
     * @param failures replicas that failed one after the other, with none that serves
     * @param text a sentence about it
     */
    record Order(String name, String project, int max, int failures, String text, List<ReplicaOrder> replicas) {}

    /**
     * The order for one replica.
     *
     * @param machine the id by which the backend knows it
     * @param isReady true if the machine can be used
     * @param isDraining true if it gets no new requests
     */
    record ReplicaOrder(
            String machine, int revision, String model, Optional<String> dtype, boolean isReady, boolean isDraining) {}

    boolean wants(String deployment, String machine) {
        Order order = deployments.get(deployment);
        return order != null
                && order.replicas().stream().anyMatch(one -> one.machine().equals(machine));
    }

    /** Returns these deployments, and those of the others that are not among them. */
    DesiredDeployments withOthers(DesiredDeployments others) {
        Map<String, Order> all = new LinkedHashMap<>(others.deployments());
        all.putAll(deployments);
        return new DesiredDeployments(all, isComplete, takesFirstTokens);
    }

    static DesiredDeployments of(GatewayOrders answer) {
        Map<String, Order> all = new LinkedHashMap<>();
        for (DeploymentOrder one : answer.deployments()) {
            all.put(
                    one.name(),
                    new Order(
                            one.name(),
                            one.project(),
                            one.max(),
                            one.failures(),
                            one.text(),
                            one.replicas().stream()
                                    .map(DesiredDeployments::replica)
                                    .toList()));
        }
        // An older backend does not say if the list is complete; then an empty list does not count as complete.
        boolean isComplete = answer.complete() == null ? !all.isEmpty() : answer.complete();
        return new DesiredDeployments(all, isComplete, answer.takes().contains("zeroToToken"));
    }

    private static ReplicaOrder replica(dev.outpost.rest.deployment.GatewayOrders.ReplicaOrder one) {
        return new ReplicaOrder(
                one.machine().toString(),
                one.revision(),
                one.model(),
                Optional.ofNullable(one.dtype()),
                one.phase() == Phase.READY,
                one.draining());
    }
}
