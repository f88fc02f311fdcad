package dev.outpost.rest.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A job as the API shows it.
 *
 * @param text a sentence about it
 * @param attempt how many runs have begun
 * @param machine the machine of the present run
 * @param exitCode with what the last run ended
 * @param runs those that have begun; absent in a list
 * @param events what happened to it; absent in a list
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
        UUID machine,
        Integer exitCode,
        Instant created,
        List<RunView> runs,
        List<JobEventView> events) {

    /** A run that began. */
    public record RunView(int number, UUID machine, Instant begun) {}

    /** An event of a job. */
    public record JobEventView(Instant at, JobPhase phase, String text) {}
}
