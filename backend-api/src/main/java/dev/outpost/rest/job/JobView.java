package dev.outpost.rest.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a job. Only the answer about a single job has runs and events.
 *
 * @param text a sentence about its state
 * @param since the time at which the phase began
 * @param owner the name of the requester
 * @param program the SHA-256 of the jar, in hex
 * @param programName the file name of the jar
 * @param secrets the names of the secrets of its process
 * @param retries the number of further runs after runs that failed or were lost
 * @param timeout the longest time of a run
 * @param attempt the number of runs that have begun
 * @param machine the machine of the present run
 * @param exitCode the exit code of the last run
 * @param runs the runs that have begun
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobView(
        UUID id,
        long version,
        JobPhase phase,
        String text,
        Instant since,
        String name,
        String project,
        String owner,
        String gpu,
        String program,
        String programName,
        List<String> arguments,
        List<String> secrets,
        int retries,
        Duration timeout,
        int attempt,
        @Nullable UUID machine,
        @Nullable Integer exitCode,
        Instant created,
        @Nullable List<RunView> runs,
        @Nullable List<JobEventView> events) {

    /** A run of a job. */
    public record RunView(int number, UUID machine, Instant begun) {}

    /** An event of a job. */
    public record JobEventView(Instant at, JobPhase phase, String text) {}
}
