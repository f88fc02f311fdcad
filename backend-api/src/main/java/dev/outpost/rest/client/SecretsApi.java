package dev.outpost.rest.client;

import dev.outpost.rest.job.SecretRequest;
import dev.outpost.rest.job.SecretView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls about the secrets of projects. */
public record SecretsApi(BackendClient client) {
    private static final String PATH = "/v1/secrets";

    /** @param project null for the key's project */
    public List<SecretView> list(@Nullable String project) {
        return client.all(new Query(PATH).with("project", project), SecretView.class);
    }

    public SecretView put(String name, SecretRequest request) {
        return client.put(Query.path(PATH, name), request, SecretView.class);
    }

    /** @param project null for the key's project */
    public void remove(String name, @Nullable String project) {
        client.delete(Query.path(PATH, name).with("project", project));
    }
}
