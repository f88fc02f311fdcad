package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The log of a job as it comes. It goes on where it was when the backend was away. */
final class JobLog {
    private static final int WAIT_SECONDS = 20;
    private static final int PAUSE_MILLIS = 1_000;

    private JobLog() {}

    /** A job's id as people give it. */
    static String checked(String id) {
        try {
            return UUID.fromString(id).toString();
        } catch (IllegalArgumentException ignored) {
            throw new IllegalArgumentException("job: expected an id as ./outpost jobs shows it, got \"" + id + "\"");
        }
    }

    static void print(BackendClient client, String id, PrintWriter out) {
        long from = 0;
        while (true) {
            BackendClient.Slice slice = client.slice("/v1/jobs/" + id + "/log?from=" + from);
            if (slice.bytes().length == 0) {
                return;
            }
            show(slice, out);
            from = slice.next();
        }
    }

    /** Returns when the job has ended. Runs that follow one another are shown one after the other. */
    static void follow(BackendClient client, String id, PrintWriter out) {
        int run = 1;
        long from = 0;
        while (true) {
            try {
                BackendClient.Slice slice =
                        client.slice("/v1/jobs/" + id + "/log?run=" + run + "&from=" + from + "&wait=" + WAIT_SECONDS);
                show(slice, out);
                from = slice.next();
                if (slice.isEnded()) {
                    JsonNode job = client.get("/v1/jobs/" + id);
                    if (job.path("attempt").asInt() <= run) {
                        return;
                    }
                    run++;
                    from = 0;
                }
            } catch (BackendException failure) {
                if (!failure.isRetryable()) {
                    throw failure;
                }
                pause();
            }
        }
    }

    private static void show(BackendClient.Slice slice, PrintWriter out) {
        out.print(new String(slice.bytes(), StandardCharsets.UTF_8));
        out.flush();
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("job: the log is not followed any more");
        }
    }

    /** Fails where the job did. */
    static void requireSuccess(BackendClient client, String id) {
        JsonNode job = client.get("/v1/jobs/" + id);
        if (!job.path("phase").asText().equals("SUCCEEDED")) {
            throw new IllegalStateException("job " + id + ": "
                    + job.path("phase").asText() + ": " + job.path("text").asText());
        }
    }
}
