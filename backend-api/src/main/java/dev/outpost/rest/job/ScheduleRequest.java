package dev.outpost.rest.job;

import org.jspecify.annotations.Nullable;

/**
 * The desired state of a schedule.
 *
 * @param cron the five fields of Unix: minute, hour, day of month, month, day of week
 * @param zone the time zone of {@code cron}; UTC by default
 * @param missed the treatment of times that were missed because no backend was running; SKIP by default
 * @param overlap true if a job is made while the previous one still runs; false by default
 * @param paused true if no jobs are made; false by default
 * @param job the request for each job
 */
public record ScheduleRequest(
        String cron,
        @Nullable String zone,
        @Nullable Missed missed,
        @Nullable Boolean overlap,
        @Nullable Boolean paused,
        JobRequest job) {}
