package dev.outpost.backend.model;

import dev.outpost.rest.job.Missed;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Jobs that are made by the clock.
 *
 * @param cron in the five fields of Unix
 * @param zone of the times
 * @param missed what is done about times at which no backend was there
 * @param allowsOverlap whether a job is made while the one before it is not over
 * @param spec of each job
 * @param next the time of the next job
 * @param lastJob the job that was made last
 * @param text a sentence about it
 */
public record JobSchedule(
        String name,
        long version,
        Cron cron,
        Missed missed,
        boolean allowsOverlap,
        boolean isPaused,
        JobSpec spec,
        Optional<Instant> next,
        Optional<UUID> lastJob,
        String text) {

    public JobSchedule after(Optional<Instant> nextTime, Optional<UUID> job, String why) {
        return new JobSchedule(
                name, version, cron, missed, allowsOverlap, isPaused, spec, nextTime, job.or(() -> lastJob), why);
    }
}
