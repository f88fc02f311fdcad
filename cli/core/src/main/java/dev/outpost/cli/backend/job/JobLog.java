package dev.outpost.cli.backend.job;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.JobsApi;
import dev.outpost.rest.job.JobPhase;
import dev.outpost.rest.job.JobView;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** Follows the log of a job. Continues at its position after the backend was unreachable. */
public final class JobLog {
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final int PAUSE_MILLIS = 1_000;

    private JobLog() {}

    /** Checks a job's id that a person typed. */
    static String checked(String id) {
        try {
            return UUID.fromString(id).toString();
        } catch (IllegalArgumentException ignored) {
            throw new IllegalArgumentException("job: expected an id as ./outpost jobs shows it, got \"" + id + "\"");
        }
    }

    static void print(JobsApi jobs, String id, PrintWriter out) {
        long from = 0;
        while (true) {
            BackendClient.Slice slice = jobs.log(id, from);
            if (slice.bytes().length == 0) {
                return;
            }
            show(slice, out);
            from = slice.next();
        }
    }

    /** Prints the logs of the job's runs, one run after the other, until the job has ended. */
    static void follow(JobsApi jobs, String id, PrintWriter out) {
        int run = 1;
        long from = 0;
        while (true) {
            try {
                BackendClient.Slice slice = jobs.log(id, run, from, WAIT);
                show(slice, out);
                from = slice.next();
                if (slice.isEnded()) {
                    if (jobs.find(id).attempt() <= run) {
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

    /** Fails if the job has failed. */
    static void requireSuccess(JobsApi jobs, String id) {
        JobView job = jobs.find(id);
        if (job.phase() != JobPhase.SUCCEEDED) {
            throw new IllegalStateException("job " + id + ": " + job.phase() + ": " + job.text());
        }
    }
}
