package dev.outpost.rest.deployment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.rest.machine.Phase;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The desired deployments and replicas that the gateway's key may see.
 *
 * @param complete true if unlisted replicas are not wanted; false while the backend looks for machines whose rows it
 *     has lost. Absent from an older backend
 * @param takes the fields of reports that this backend accepts and an older one refuses; absent from an older backend
 */
public record GatewayOrders(
        List<DeploymentOrder> deployments,
        @Nullable Boolean complete,
        @Nullable List<String> takes) {

    /**
     * The order for one deployment.
     *
     * @param wanted the number of desired replicas
     * @param max the largest number of replicas; 0 while it is being removed
     * @param failures the number of failed starts since a replica last served
     * @param text a sentence about its state, or the reason why it does not serve
     */
    public record DeploymentOrder(
            String name, String project, int wanted, int max, int failures, String text, List<ReplicaOrder> replicas) {}

    /**
     * The order for one replica.
     *
     * @param model the URI of the model
     * @param dtype the dtype of the loaded weights; the dtype in the file if absent
     * @param phase the phase of its machine
     * @param draining true if it gets no new requests
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ReplicaOrder(
            UUID machine,
            int revision,
            String model,
            @Nullable String dtype,
            Phase phase,
            boolean draining) {}
}
