package dev.outpost.rest.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a cluster.
 *
 * @param gpus the kinds of its GPUs; every kind if empty
 * @param machines the number of machines that it has room for; no limit if absent
 * @param used the number of its machines
 * @param options the names of its provider's settings; the values may be secrets and are not shown
 * @param relay the relay at which clients reach its machines, {@code host:port}
 * @param observed the time of the last complete observation of its machines
 * @param trouble the reason why the last observation failed
 * @param away true if it is a worker host that has not reported recently
 * @param worker the last report of a worker host about itself; absent for other clusters
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClusterView(
        String name,
        String provider,
        ClusterState state,
        List<String> gpus,
        @Nullable Integer machines,
        int used,
        List<String> options,
        @Nullable String relay,
        @Nullable Instant observed,
        @Nullable String trouble,
        @Nullable Boolean away,
        @Nullable ClusterHost worker,
        long version) {

    /**
     * A worker host, which is a cluster.
     *
     * @param host the host's name, for people
     * @param program the version of the host's program
     * @param heard the time of its last report
     */
    public record ClusterHost(String host, @Nullable String program, Instant heard) {}
}
