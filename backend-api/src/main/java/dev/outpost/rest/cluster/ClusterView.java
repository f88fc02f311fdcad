package dev.outpost.rest.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;

/** A cluster as the API shows it; the values of its options may be secrets and are not shown. A worker host may be away. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClusterView(
        String name,
        String provider,
        ClusterState state,
        List<String> gpus,
        Integer machines,
        int used,
        List<String> options,
        String relay,
        Instant observed,
        String trouble,
        Boolean away,
        ClusterHost worker,
        long version) {

    /**
     * A host that is a cluster.
     *
     * @param host its name, for people
     * @param program the version of its program
     * @param heard when it was last heard
     */
    public record ClusterHost(String host, String program, Instant heard) {}
}
