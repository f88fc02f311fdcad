package dev.outpost.rest.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.runner.AppendedTo;
import dev.outpost.rest.runner.RunnerBegin;
import dev.outpost.rest.runner.RunnerBegun;
import dev.outpost.rest.runner.RunnerExit;
import dev.outpost.rest.runner.RunnerOrders;
import dev.outpost.rest.runner.RunnerSign;

/** Calls of the runner of a job. Its client sends the token of the run instead of a key. Each call may be repeated. */
public record RunnerApi(BackendClient client) {
    private static final String PATH = "/v1/runner/";

    public RunnerBegun begin(RunnerBegin request) {
        return client.post(PATH + "begin", request, RunnerBegun.class);
    }

    /** Returns a part of the program. */
    public byte[] program(long from) {
        return client.slice(new Query(PATH + "program").with("from", from)).bytes();
    }

    /** Sends a part of the program's output. Returns the offset of the next part. */
    public AppendedTo appendLog(long from, byte[] part) {
        return client.putBytes(new Query(PATH + "log").with("from", from), part, AppendedTo.class);
    }

    /** Sends a part of a file that the program wrote. Returns the offset of the next part. */
    public AppendedTo appendArtefact(String path, long from, byte[] part) {
        return client.putBytes(
                new Query(PATH + "artefacts").with("path", path).with("from", from), part, AppendedTo.class);
    }

    /** Reports that the run continues. The answer has true in {@code stop} if the run shall end. */
    public RunnerOrders reportAlive(RunnerSign sign) {
        return client.post(PATH + "heard", sign, RunnerOrders.class);
    }

    /** Reports that the program has ended. */
    public void exited(RunnerExit exit) {
        client.post(PATH + "exited", exit, JsonNode.class);
    }
}
