package dev.outpost.rest.deployment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a deployment. Only the answer about a single deployment has the times of a cold start, revisions
 * and replicas.
 *
 * @param min the minimum number of replicas
 * @param max the maximum number of replicas
 * @param target the number of concurrent requests of a replica at which another one is started
 * @param idle the time without a request after which the last replica ends
 * @param revision the revision of new replicas
 * @param proven the last revision of which a replica has served
 * @param wanted the present number of desired replicas
 * @param text a sentence about its state, or the reason why it does not serve
 * @param zeroToToken the time from a request without a replica to its first token, of the latest cold start
 * @param zeroToTokenTold the time at which a gateway reported {@code zeroToToken}
 * @param revisions the latest 200 revisions
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeploymentView(
        String name,
        long version,
        String project,
        int min,
        int max,
        int target,
        Duration idle,
        int revision,
        @Nullable Integer proven,
        int wanted,
        String text,
        @Nullable Duration zeroToToken,
        @Nullable Instant zeroToTokenTold,
        @Nullable List<RevisionView> revisions,
        @Nullable List<ReplicaView> replicas) {

    /**
     * A revision: the model and the GPU of its replicas.
     *
     * @param model the URI of the model
     * @param dtype the dtype of the loaded weights; the dtype in the file if absent
     * @param createdBy the id of the key that made it
     * @param failure the reason why its rollout failed
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record RevisionView(
            int number,
            String model,
            String gpu,
            @Nullable String dtype,
            Instant created,
            String createdBy,
            @Nullable String failure) {}

    /**
     * A machine of a deployment.
     *
     * @param text a sentence about the machine
     * @param drainingSince the time since which it gets no new requests
     * @param gateways the latest report of each gateway
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ReplicaView(
            UUID machine,
            int revision,
            Phase phase,
            String text,
            @Nullable Instant drainingSince,
            List<UseView> gateways) {}

    /**
     * The latest report of a gateway about a replica.
     *
     * @param requests the number of running and waiting requests
     * @param cacheUse the used part of the cache, 0 to 1
     * @param text the reason of its failure
     * @param reported the time of the report
     */
    public record UseView(
            String gateway, ReplicaState state, int requests, double cacheUse, String text, Instant reported) {}
}
