package dev.outpost.rest.client;

import dev.outpost.rest.deployment.DeploymentRequest;
import dev.outpost.rest.deployment.DeploymentView;
import dev.outpost.rest.deployment.Rollback;
import java.util.List;

/** Calls about deployments of models. */
public record DeploymentsApi(BackendClient client) {
    private static final String PATH = "/v1/deployments";

    private static String path(String name) {
        return Query.path(PATH, name).toString();
    }

    public List<DeploymentView> list() {
        return client.all(new Query(PATH), DeploymentView.class);
    }

    public DeploymentView find(String name) {
        return client.get(path(name), DeploymentView.class);
    }

    public DeploymentView put(String name, DeploymentRequest request) {
        return client.put(path(name), request, DeploymentView.class);
    }

    public DeploymentView rollback(String name, Rollback request) {
        return client.post(path(name) + ":rollback", request, DeploymentView.class);
    }

    public void remove(String name) {
        client.delete(path(name));
    }
}
