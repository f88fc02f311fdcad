package dev.outpost.rest.client;

import dev.outpost.rest.cluster.ClusterRequest;
import dev.outpost.rest.cluster.ClusterView;
import dev.outpost.rest.cluster.FailureView;
import dev.outpost.rest.cluster.WorkerCode;
import java.util.List;

/** Calls about clusters and worker hosts. */
public record ClustersApi(BackendClient client) {
    private static final String PATH = "/v1/clusters";

    public List<ClusterView> list() {
        return client.all(new Query(PATH), ClusterView.class);
    }

    public ClusterView put(String name, ClusterRequest request) {
        return client.put(Query.path(PATH, name), request, ClusterView.class);
    }

    /** Makes the code by which a worker host joins as this cluster. */
    public WorkerCode pair(String name) {
        return client.post(Query.path(PATH, name) + ":pair", null, WorkerCode.class);
    }

    /** Returns the rows that loops of the backend cannot process. */
    public List<FailureView> failures() {
        return client.all(new Query("/v1/failures"), FailureView.class);
    }

    public void remove(String name) {
        client.delete(Query.path(PATH, name));
    }
}
