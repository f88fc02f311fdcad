package dev.outpost.rest.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The API's view of a schedule.
 *
 * @param next the time of the next job; absent where none comes
 * @param lastJob the job that was made last
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScheduleView(
        String name,
        long version,
        String project,
        String cron,
        String zone,
        Missed missed,
        boolean overlap,
        boolean paused,
        Instant next,
        UUID lastJob,
        String text,
        String gpu,
        String program,
        String programName,
        List<String> arguments) {}
