package dev.outpost.rest.deployment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The API's view of a deployment.
 *
 * @param revision the one that replicas are started of
 * @param proven the last one of which a replica has served
 * @param wanted how many replicas there shall be now
 * @param text a sentence: what it does, or why it does not serve
 * @param zeroToToken from a request that found no replica to its first token, of the latest such start; of one deployment that is asked for
 * @param zeroToTokenTold when a gateway told that
 * @param revisions the latest 200, of one deployment that is asked for
 * @param replicas its machines, of one deployment that is asked for
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
        Integer proven,
        int wanted,
        String text,
        Duration zeroToToken,
        Instant zeroToTokenTold,
        List<RevisionView> revisions,
        List<ReplicaView> replicas) {

    /** The properties of a revision's replicas. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record RevisionView(
            int number, String model, String gpu, String dtype, Instant created, String createdBy, String failure) {}

    /** A machine of it, and how each gateway uses that. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ReplicaView(
            UUID machine, int revision, Phase phase, String text, Instant drainingSince, List<UseView> gateways) {}

    /** The latest report of a gateway about a replica. */
    public record UseView(
            String gateway, ReplicaState state, int requests, double cacheUse, String text, Instant reported) {}
}
