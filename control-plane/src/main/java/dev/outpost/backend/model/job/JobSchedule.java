package dev.outpost.backend.model.job;

import dev.outpost.rest.job.Missed;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A schedule, which makes jobs at given times.
 *
 * @param cron the times, as the five fields of a Unix crontab, and their time zone
 * @param missed the treatment of times at which no backend ran
 * @param allowsOverlap true if a job is made while the previous one still runs
 * @param spec the spec of each job
 * @param next the time of the next job
 * @param lastJob the latest job
 * @param text a sentence about its state
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
