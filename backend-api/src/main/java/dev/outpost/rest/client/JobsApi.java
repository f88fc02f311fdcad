package dev.outpost.rest.client;

import dev.outpost.rest.job.ArtefactView;
import dev.outpost.rest.job.JobRequest;
import dev.outpost.rest.job.JobView;
import java.time.Duration;
import java.util.List;

/** Calls about jobs and their files. */
public record JobsApi(BackendClient client) {
    private static final String PATH = "/v1/jobs";

    private static String path(String id) {
        return PATH + "/" + id;
    }

    public List<JobView> list() {
        return client.all(new Query(PATH), JobView.class);
    }

    public JobView find(String id) {
        return client.get(path(id), JobView.class);
    }

    /** Requests a job by an id that the caller has drawn. May be repeated. */
    public JobView put(String id, JobRequest request) {
        return client.put(path(id), request, JobView.class);
    }

    public JobView cancel(String id) {
        return client.post(path(id) + ":cancel", null, JobView.class);
    }

    /** Returns a part of the log of the last run. */
    public BackendClient.Slice log(String id, long from) {
        return client.slice(new Query(path(id) + "/log").with("from", from));
    }

    /**
     * Waits for the next part of the log of a run, and returns it; empty if the log has not grown within {@code
     * atMost}.
     */
    public BackendClient.Slice log(String id, int run, long from, Duration atMost) {
        return client.slice(
                new Query(path(id) + "/log").with("run", run).with("from", from).with("wait", atMost.toSeconds()));
    }

    public List<ArtefactView> artefacts(String id) {
        return List.of(client.get(path(id) + "/artefacts", ArtefactView[].class));
    }

    /** Returns a part of a file that a run wrote. */
    public BackendClient.Slice artefact(String id, String path, long from) {
        return client.slice(new Query(path(id) + "/artefact").with("path", path).with("from", from));
    }
}
