package dev.outpost.rest.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a cluster.
 *
 * @param provider the name of its provider, such as {@code process}
 * @param state the present state by default; {@code ACTIVE} for a new cluster
 * @param gpus the kinds of its GPUs; every kind by default
 * @param machines the number of machines that it has room for; no limit by default
 * @param options the settings of its provider
 * @param relay the relay at which clients reach its machines, {@code host:port}; if empty, clients connect to the
 *     machines themselves
 */
public record ClusterRequest(
        String provider,
        @Nullable ClusterState state,
        @Nullable List<String> gpus,
        @Nullable Integer machines,
        @Nullable Map<String, String> options,
        @Nullable String relay) {}
