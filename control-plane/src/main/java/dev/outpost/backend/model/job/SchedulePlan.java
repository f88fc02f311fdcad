package dev.outpost.backend.model.job;

import dev.outpost.rest.job.Missed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The due times of a schedule. Has no clock and no SQL.
 *
 * @param times the times for each of which a job is made
 * @param next the first future time
 * @param text a sentence about the schedule's state
 */
public record SchedulePlan(List<Instant> times, Optional<Instant> next, String text) {
    /** The maximum delay after its due time at which a job still counts as punctual. */
    public static final Duration PUNCTUAL = Duration.ofSeconds(60);

    private static final int MAX = 100;

    /** @param isBusy true if the job that was made last is not over */
    public static SchedulePlan of(JobSchedule row, boolean isBusy, Instant now) {
        List<Instant> due = new ArrayList<>();
        Optional<Instant> time = row.next();
        while (time.isPresent() && !time.get().isAfter(now)) {
            due.add(time.get());
            if (due.size() > MAX) {
                due.removeFirst();
            }
            time = row.cron().after(time.get());
        }
        List<Instant> made = due.isEmpty() ? due : chosen(row.missed(), due, now);
        if (!made.isEmpty() && isBusy && !row.allowsOverlap()) {
            return new SchedulePlan(
                    List.of(), time, "the job before was not over at " + made.getLast() + ", so none was made");
        }
        return new SchedulePlan(made, time, text(due, made));
    }

    private static List<Instant> chosen(Missed missed, List<Instant> due, Instant now) {
        Instant last = due.getLast();
        return switch (missed) {
            case SKIP -> last.plus(PUNCTUAL).isBefore(now) ? List.of() : List.of(last);
            case ONCE -> List.of(last);
            case ALL -> List.copyOf(due);
        };
    }

    private static String text(List<Instant> due, List<Instant> made) {
        return due.size() == made.size()
                ? "it is on time"
                : due.size() - made.size() + " times were missed, the last one " + due.getLast();
    }
}
