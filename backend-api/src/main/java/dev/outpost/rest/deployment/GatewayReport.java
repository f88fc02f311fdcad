package dev.outpost.rest.deployment;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The report of a gateway.
 *
 * @param deployments each deployment for which it has requests or replicas
 */
public record GatewayReport(List<DeploymentReport> deployments) {

    /**
     * The report of one deployment.
     *
     * @param held the number of requests that wait for a replica
     * @param zeroToToken the time from a request without a replica to its first token, sent once for each cold start
     */
    public record DeploymentReport(
            String name, @Nullable Integer held, @Nullable Duration zeroToToken, List<ReplicaReport> replicas) {}

    /**
     * The report of one replica.
     *
     * @param requests the number of running and waiting requests
     * @param cacheUse the used part of the cache, 0 to 1
     * @param text the reason of its failure
     */
    public record ReplicaReport(
            UUID machine,
            ReplicaState state,
            @Nullable Integer requests,
            @Nullable Double cacheUse,
            @Nullable String text) {}
}
