package dev.outpost.backend.store;

import dev.outpost.backend.model.Cron;
import dev.outpost.backend.model.JobSchedule;
import dev.outpost.backend.model.JobSpec;
import java.sql.SQLException;
import java.time.Duration;
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

    /** The loop that works on schedules, by its name in {@link RowFailures}. */
    public static final String LOOP = "schedules";

    /** The name of a schedule. */
    public record Key(String organisation, String name) {
        public String text() {
            return organisation + "/" + name;
        }
    }

    /** The name of one that is due, which no other replica has; locked until the end of the transaction. */
    public static Optional<Key> lockDue(Sql sql) {
        return sql.one(
                "SELECT organisation, name FROM schedules WHERE due_at <= (SELECT outpost_now()) AND "
                        + RowFailures.notPaused(LOOP, "organisation || '/' || name")
                        + " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED",
                row -> new Key(row.text("organisation"), row.text("name")));
    }

    /** By name, from behind one on. */
    public static List<JobSchedule> page(
            Sql sql, String organisation, Optional<String> project, String after, int limit) {
        return sql.query(
                "SELECT * FROM schedules WHERE organisation = ? AND (?::text IS NULL OR project = ?) AND name > ?"
                        + " ORDER BY name LIMIT ?",
                ScheduleRows::read,
                organisation,
                project,
                project,
                after,
                limit);
    }

    /** Puts it in, or in the place of the one of that name. */
    public static void put(Sql sql, JobSchedule row) {
        JobSpec spec = row.spec();
        sql.update(
                "INSERT INTO schedules (organisation, project, name, version, cron, zone, missed, overlap, paused, owner,"
                        + " key_id, gpu, program, program_name, arguments, environment, secrets, retries, timeout, next_at, text,"
                        + " due_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (organisation, name) DO UPDATE SET project = excluded.project, version = excluded.version,"
                        + " cron = excluded.cron, zone = excluded.zone, missed = excluded.missed, overlap = excluded.overlap,"
                        + " paused = excluded.paused, owner = excluded.owner, key_id = excluded.key_id, gpu = excluded.gpu,"
                        + " program = excluded.program, program_name = excluded.program_name, arguments = excluded.arguments,"
                        + " environment = excluded.environment, secrets = excluded.secrets, retries = excluded.retries,"
                        + " timeout = excluded.timeout, next_at = excluded.next_at, text = excluded.text, due_at = excluded.due_at",
                spec.organisation(),
                spec.project(),
                row.name(),
                row.version(),
                row.cron().text(),
                row.cron().zone(),
                row.missed(),
                row.allowsOverlap(),
                row.isPaused(),
                spec.owner(),
                spec.keyId(),
                spec.gpu(),
                spec.program(),
                spec.programName(),
                spec.arguments().toArray(String[]::new),
                JsonColumns.write(spec.environment()),
                spec.secrets().toArray(String[]::new),
                spec.retries(),
                spec.timeout().toMillis(),
                row.next(),
                row.text(),
                due(row));
    }

    /** Writes how far it is. */
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

    /** False where there is none. */
    public static boolean remove(Sql sql, String organisation, String name) {
        return sql.update("DELETE FROM schedules WHERE organisation = ? AND name = ?", organisation, name) == 1;
    }

    private static JobSchedule read(Sql.Row row) throws SQLException {
        return new JobSchedule(
                row.text("name"),
                row.number("version"),
                new Cron(row.text("cron"), row.text("zone")),
                JobSchedule.Missed.valueOf(row.text("missed")),
                row.flag("overlap"),
                row.flag("paused"),
                new JobSpec(
                        row.text("organisation"),
                        row.text("project"),
                        row.text("owner"),
                        row.text("key_id"),
                        row.text("name"),
                        row.text("gpu"),
                        row.text("program"),
                        row.text("program_name"),
                        row.texts("arguments"),
                        JsonColumns.readTexts(row.text("environment")),
                        row.texts("secrets"),
                        row.integer("retries"),
                        Duration.ofMillis(row.number("timeout"))),
                row.optionalTime("next_at"),
                Optional.ofNullable(row.object("last_job", UUID.class)),
                row.text("text"));
    }
}
