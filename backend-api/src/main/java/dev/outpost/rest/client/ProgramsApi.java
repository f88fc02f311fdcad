package dev.outpost.rest.client;

import dev.outpost.rest.deployment.ProgramRequest;
import dev.outpost.rest.deployment.ProgramView;
import java.util.List;

/** Calls about published programs. */
public record ProgramsApi(BackendClient client) {
    private static final String PATH = "/v1/programs";

    public List<ProgramView> list() {
        return client.all(new Query(PATH), ProgramView.class);
    }

    public ProgramView put(String name, ProgramRequest request) {
        return client.put(Query.path(PATH, name), request, ProgramView.class);
    }

    public void remove(String name) {
        client.delete(Query.path(PATH, name));
    }

    /** Returns a part of the file of a program. */
    public BackendClient.Slice file(String name, String sha256, long from) {
        return client.slice(new Query(Query.path(PATH, name) + "/file")
                .with("sha256", sha256)
                .with("from", from));
    }
}
