package dev.outpost.backend.store.job;

import dev.outpost.backend.model.job.Cron;
import dev.outpost.backend.model.job.JobSchedule;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.job.Missed;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of schedules. */
public final class ScheduleRows {
    private ScheduleRows() {}

    public static Optional<JobSchedule> find(Sql sql, String organisation, String name) {
        return sql.one(
                "SELECT * FROM schedules WHERE organisation = ? AND name = ?", ScheduleRows::read, organisation, name);
    }

    public static Optional<JobSchedule> lock(Sql sql, String organisation, String name) {
        return sql.one(
                "SELECT * FROM schedules WHERE organisation = ? AND name = ? FOR UPDATE",
                ScheduleRows::read,
                organisation,
                name);
    }

    /** The name of the loop for schedules in {@link RowFailures}. */
    public static final String LOOP = "schedules";

    /** The name of a schedule. */
    public record Key(String organisation, String name) {
        public String text() {
            return organisation + "/" + name;
        }
    }

    /** Locks a due schedule that no other replica has locked until the end of the transaction, and returns its name. */
    public static Optional<Key> lockDue(Sql sql) {
        return sql.one(
                "SELECT organisation, name FROM schedules WHERE due_at <= (SELECT outpost_now()) AND "
                        + RowFailures.notPaused(LOOP, "organisation || '/' || name")
                        + " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED",
                Key.class);
    }

    /** Returns the schedules after a name, ordered by name. */
    public static List<JobSchedule> page(
            Sql sql, String organisation, Optional<String> project, String after, int limit) {
        Filter filter = Filter.of("organisation = ?", organisation)
                .andIf(project, "project = ?")
                .and("name > ?", after);
        return sql.query(
                "SELECT * FROM schedules" + filter.text() + " ORDER BY name LIMIT ?",
                ScheduleRows::read,
                filter.values(limit));
    }

    /** Inserts a schedule, or replaces the schedule with the same name. */
    public static void put(Sql sql, JobSchedule row) {
        sql.put(
                "schedules",
                Columns.of(
                                row,
                                "organisation, project, name, version, missed, overlap, paused, owner, key_id, gpu, program,"
                                        + " program_name, arguments, environment, secrets, retries, timeout, next_at, text")
                        .and("cron", row.cron().text())
                        .and("zone", row.cron().zone())
                        .and("due_at", due(row)),
                "organisation, name");
    }

    /** Writes the progress of a schedule. */
    public static void follow(Sql sql, JobSchedule row) {
        sql.update(
                "UPDATE schedules SET next_at = ?, last_job = ?, text = ?, due_at = ? WHERE organisation = ? AND name = ?",
                row.next(),
                row.lastJob(),
                row.text(),
                due(row),
                row.spec().organisation(),
                row.name());
    }

    private static Optional<Instant> due(JobSchedule row) {
        return row.isPaused() ? Optional.empty() : row.next();
    }

    /** Removes a schedule. Returns false if it does not exist. */
    public static boolean remove(Sql sql, String organisation, String name) {
        return sql.update("DELETE FROM schedules WHERE organisation = ? AND name = ?", organisation, name) == 1;
    }

    private static JobSchedule read(Sql.Row row) throws SQLException {
        return new JobSchedule(
                row.text("name"),
                row.number("version"),
                new Cron(row.text("cron"), row.text("zone")),
                Missed.valueOf(row.text("missed")),
                row.flag("overlap"),
                row.flag("paused"),
                row.as(JobSpec.class),
                row.optionalTime("next_at"),
                Optional.ofNullable(row.object("last_job", UUID.class)),
                row.text("text"));
    }
}
