package dev.outpost.rest.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a schedule.
 *
 * @param cron the five fields of Unix: minute, hour, day of month, month, day of week
 * @param zone the time zone of {@code cron}
 * @param missed the treatment of times that were missed because no backend was running
 * @param overlap true if a job is made while the previous one still runs
 * @param next the time of the next job; absent if no more jobs are due
 * @param lastJob the id of the last job
 * @param text a sentence about the last time
 * @param program the SHA-256 of the jar, in hex
 * @param programName the file name of the jar
 * @param environment additional environment variables; only for keys that may change the schedule
 * @param secrets the names of secrets of the project
 * @param retries the number of further runs after runs that failed or were lost
 * @param timeout the longest time of a run
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
        @Nullable Instant next,
        @Nullable UUID lastJob,
        String text,
        String gpu,
        String program,
        String programName,
        List<String> arguments,
        @Nullable Map<String, String> environment,
        List<String> secrets,
        int retries,
        Duration timeout) {}
