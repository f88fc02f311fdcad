package dev.outpost.rest.job;

/**
 * The request for a schedule.
 *
 * @param cron the five fields of Unix: minute, hour, day of month, month, day of week
 * @param zone of the times; UTC unless given
 * @param missed what is done about times at which no backend was there; SKIP unless given
 * @param overlap whether a job is made while the one before it is not over; false unless given
 * @param job what is made
 */
public record ScheduleRequest(
        String cron, String zone, Missed missed, Boolean overlap, Boolean paused, JobRequest job) {}
