package dev.outpost.serving.gateway;

import dev.outpost.rest.deployment.GatewayOrders;
import dev.outpost.rest.deployment.GatewayOrders.DeploymentOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The desired deployments of a backend.
 *
 * @param deployments the deployments, by name
 * @param isComplete true if unlisted replicas are not wanted
 * @param takesFirstTokens true if the backend knows the field of reports for times to first tokens; an older backend refuses it
 */
record DesiredDeployments(Map<String, DeploymentOrder> deployments, boolean isComplete, boolean takesFirstTokens) {
    static final DesiredDeployments NONE = new DesiredDeployments(Map.of(), false, false);

    boolean wants(String deployment, UUID machine) {
        DeploymentOrder order = deployments.get(deployment);
        return order != null
                && order.replicas().stream().anyMatch(one -> one.machine().equals(machine));
    }

    /** Returns these deployments, and the deployments of {@code others} whose names are not among them. */
    DesiredDeployments withOthers(DesiredDeployments others) {
        Map<String, DeploymentOrder> all = new LinkedHashMap<>(others.deployments());
        all.putAll(deployments);
        return new DesiredDeployments(all, isComplete, takesFirstTokens);
    }

    static DesiredDeployments of(GatewayOrders answer) {
        Map<String, DeploymentOrder> all = new LinkedHashMap<>();
        answer.deployments().forEach(one -> all.put(one.name(), one));
        // An older backend does not say if the list is complete. Then an empty list does not count as complete.
        boolean isComplete = answer.complete() == null ? !all.isEmpty() : answer.complete();
        return new DesiredDeployments(all, isComplete, answer.takes().contains("zeroToToken"));
    }
}
