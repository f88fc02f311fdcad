package dev.outpost.rest.cluster;

import java.util.List;
import java.util.Map;

/**
 * The settings of a cluster.
 *
 * @param gpus the kinds that it has; every kind where it is absent
 * @param machines how many it has room for; as many as it takes where it is absent
 * @param options settings of its provider
 * @param relay where clients reach its machines, {@code host:port}; empty where they connect to the machines themselves
 */
public record ClusterRequest(
        String provider,
        ClusterState state,
        List<String> gpus,
        Integer machines,
        Map<String, String> options,
        String relay) {}
