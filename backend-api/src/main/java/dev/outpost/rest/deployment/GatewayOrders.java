package dev.outpost.rest.deployment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.outpost.rest.machine.Phase;
import java.util.List;
import java.util.UUID;

/**
 * The deployments that are wanted, of all that the key sees.
 *
 * @param complete true if a replica that is not listed is not wanted; false while the backend looks for machines whose rows it has
 *     lost
 * @param takes the fields of reports that backends of an older version refuse, and this one takes
 */
public record GatewayOrders(
        @JsonProperty(required = true) List<DeploymentOrder> deployments, Boolean complete, List<String> takes) {

    /**
     * The orders for one deployment.
     *
     * @param max how many replicas it may have; 0 where it is being removed
     * @param failures replicas that failed one after the other, with none that serves
     * @param text a sentence: what it does, or why it does not serve
     */
    public record DeploymentOrder(
            @JsonProperty(required = true) String name,
            String project,
            int wanted,
            int max,
            int failures,
            String text,
            @JsonProperty(required = true) List<ReplicaOrder> replicas) {}

    /**
     * The order for one replica.
     *
     * @param model the URI that it loads
     * @param draining whether it gets no new requests
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ReplicaOrder(UUID machine, int revision, String model, String dtype, Phase phase, boolean draining) {}
}
