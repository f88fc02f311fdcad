package dev.outpost.rest.deployment;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The state of a gateway: of each deployment that it has requests or replicas of. */
public record GatewayReport(List<DeploymentReport> deployments) {

    /**
     * The report of one deployment.
     *
     * @param held the requests that wait for a replica
     * @param zeroToToken from a request that found no replica to its first token, once after each such start
     */
    public record DeploymentReport(String name, Integer held, Duration zeroToToken, List<ReplicaReport> replicas) {}

    /**
     * The report of one replica.
     *
     * @param requests those that wait there or are computed
     * @param cacheUse the used part of the cache, 0 to 1
     * @param text why it failed
     */
    public record ReplicaReport(UUID machine, ReplicaState state, Integer requests, Double cacheUse, String text) {}
}
