package dev.outpost.rest.client;

import dev.outpost.rest.cluster.PoolRequest;
import dev.outpost.rest.cluster.PoolView;
import java.util.List;

/** Calls about pools of machines that wait for requests. */
public record PoolsApi(BackendClient client) {
    private static final String PATH = "/v1/pools";

    public List<PoolView> list() {
        return client.all(new Query(PATH), PoolView.class);
    }

    public PoolView find(String name) {
        return client.get(Query.path(PATH, name), PoolView.class);
    }

    public PoolView put(String name, PoolRequest request) {
        return client.put(Query.path(PATH, name), request, PoolView.class);
    }

    public void remove(String name) {
        client.delete(Query.path(PATH, name));
    }
}
