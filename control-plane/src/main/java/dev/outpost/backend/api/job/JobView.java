package dev.outpost.backend.api.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.backend.model.Job;
import dev.outpost.backend.model.JobPhase;
import dev.outpost.backend.store.AttemptRows;
import dev.outpost.backend.store.JobRows;
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

    /** What happened to a job. */
    public record JobEventView(Instant at, JobPhase phase, String text) {}

    static JobView of(Job row) {
        return of(row, null, null);
    }

    static JobView of(Job row, List<AttemptRows.Attempt> attempts, List<JobRows.Event> events) {
        return new JobView(
                row.id(),
                row.version(),
                row.phase(),
                row.text(),
                row.since(),
                row.spec().name(),
                row.spec().project(),
                row.spec().owner(),
                row.spec().gpu(),
                row.spec().program(),
                row.spec().programName(),
                row.spec().arguments(),
                row.spec().secrets(),
                row.spec().retries(),
                row.spec().timeout(),
                row.attempt(),
                row.machine().orElse(null),
                row.exitCode().orElse(null),
                row.created(),
                attempts == null
                        ? null
                        : attempts.stream()
                                .map(run -> new RunView(run.number(), run.machine(), run.begun()))
                                .toList(),
                events == null
                        ? null
                        : events.stream()
                                .map(event -> new JobEventView(event.at(), event.phase(), event.text()))
                                .toList());
    }
}
