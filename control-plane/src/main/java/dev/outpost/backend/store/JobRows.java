package dev.outpost.backend.store;

import dev.outpost.backend.model.Job;
import dev.outpost.backend.model.JobPhase;
import dev.outpost.backend.model.JobSpec;
import dev.outpost.backend.model.JobStateMachine;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of jobs, and of the machines that their runners are started beside. */
public final class JobRows {
    private JobRows() {}

    /** What happened to a job. */
    public record Event(long sequence, Instant at, JobPhase phase, String text) {}

    public static Optional<Job> find(Sql sql, UUID id) {
        return sql.one("SELECT * FROM jobs WHERE id = ?", JobRows::read, id);
    }

    /** Nobody else changes the row until the end of the transaction. */
    public static Optional<Job> lock(Sql sql, UUID id) {
        return sql.one("SELECT * FROM jobs WHERE id = ? FOR UPDATE", JobRows::read, id);
    }

    /** The job that a machine was asked for; locked. */
    public static Optional<Job> lockOf(Sql sql, UUID machine) {
        return sql.one(
                "SELECT j.* FROM jobs j JOIN job_machines m ON m.job = j.id WHERE m.machine = ? FOR UPDATE OF j",
                JobRows::read,
                machine);
    }

    /** The loop that works on jobs, by its name in {@link RowFailures}. */
    public static final String LOOP = "jobs";

    /** The id of one that is due, which no other replica has; locked until the end of the transaction. */
    public static Optional<UUID> lockDue(Sql sql) {
        return sql.one(
                "SELECT id FROM jobs WHERE due_at <= (SELECT outpost_now()) AND "
                        + RowFailures.notPaused(LOOP, "id::text")
                        + " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED",
                row -> row.object("id", UUID.class));
    }

    /** Jobs whose machines are ready and whose runners have not reported for so many looks. */
    public static List<Job> unheard(Sql sql, int looks, int limit) {
        return sql.query(
                "SELECT * FROM jobs WHERE due_at IS NOT NULL AND phase = 'STARTING' AND silent >= ? ORDER BY due_at LIMIT ?",
                JobRows::read,
                looks,
                limit);
    }

    /** Of an organisation, or of one of its projects; newest first, from behind another one on. */
    public static List<Job> page(
            Sql sql, String organisation, Optional<String> project, Optional<MachineRows.Position> after, int limit) {
        Filter filter = Filter.of("organisation = ?", organisation).andIf(project, "project = ?");
        after.ifPresent(last -> filter.and("(created_at, id) < (?, ?)", last.created(), last.id()));
        return sql.query(
                "SELECT * FROM jobs" + filter.text() + " ORDER BY created_at DESC, id DESC LIMIT ?",
                JobRows::read,
                filter.values(limit));
    }

    /** False where there is one of that id. */
    public static boolean insert(Sql sql, Job job) {
        JobSpec spec = job.spec();
        boolean isNew = sql.update(
                        "INSERT INTO jobs (id, version, organisation, project, owner, key_id, name, gpu, program, program_name,"
                                + " arguments, environment, secrets, retries, timeout, phase, since, text, attempt, starts,"
                                + " silent, created_at, due_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?,"
                                + " ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                        job.id(),
                        job.version(),
                        spec.organisation(),
                        spec.project(),
                        spec.owner(),
                        spec.keyId(),
                        spec.name(),
                        spec.gpu(),
                        spec.program(),
                        spec.programName(),
                        spec.arguments().toArray(String[]::new),
                        JsonColumns.write(spec.environment()),
                        spec.secrets().toArray(String[]::new),
                        spec.retries(),
                        spec.timeout().toMillis(),
                        job.phase(),
                        job.since(),
                        job.text(),
                        job.attempt(),
                        job.starts(),
                        job.silent(),
                        job.created(),
                        JobStateMachine.due(job, job.created()))
                == 1;
        if (isNew) {
            notifyChange(sql, job, job.created());
        }
        return isNew;
    }

    /** Writes a row that this transaction has locked, and tells of another phase or text. */
    public static void update(Sql sql, Job before, Job job, Instant now) {
        sql.update(
                "UPDATE jobs SET version = ?, phase = ?, since = ?, text = ?, attempt = ?, starts = ?, machine = ?, runner = ?,"
                        + " silent = ?, begun_at = ?, lease = ?, exit_code = ?, stop_asked = ?, retry_at = ?, due_at = ? WHERE id = ?",
                job.version(),
                job.phase(),
                job.since(),
                job.text(),
                job.attempt(),
                job.starts(),
                job.machine(),
                job.runner(),
                job.silent(),
                job.begun(),
                job.lease().map(Duration::toMillis),
                job.exitCode(),
                job.stop(),
                job.retryAt(),
                JobStateMachine.due(job, now),
                job.id());
        if (before.phase() != job.phase() || !before.text().equals(job.text())) {
            notifyChange(sql, job, now);
        }
    }

    private static void notifyChange(Sql sql, Job job, Instant now) {
        sql.update(
                "INSERT INTO job_events (job, at, phase, text) VALUES (?, ?, ?, ?)",
                job.id(),
                now,
                job.phase(),
                job.text());
        WebhookRows.enqueue(
                sql,
                WebhookRows.Told.of(
                        job.spec().organisation(),
                        Optional.of(job.spec().project()),
                        "job." + job.phase().name().toLowerCase(java.util.Locale.ROOT),
                        now,
                        "job",
                        job.id().toString(),
                        job.text()));
    }

    /** Writes down once that something has happened to a job, whose phase stays. */
    public static void note(Sql sql, Job job, String text) {
        sql.update(
                "INSERT INTO job_events (job, at, phase, text) SELECT ?, outpost_now(), ?, ? WHERE NOT EXISTS"
                        + " (SELECT 1 FROM job_events WHERE job = ? AND text = ?)",
                job.id(),
                job.phase(),
                text,
                job.id(),
                text);
    }

    public static List<Event> events(Sql sql, UUID job, int limit) {
        return sql.query(
                "SELECT * FROM job_events WHERE job = ? ORDER BY seq LIMIT ?",
                row -> new Event(
                        row.number("seq"), row.time("at"), JobPhase.valueOf(row.text("phase")), row.text("text")),
                job,
                limit);
    }

    // ---- machines

    public static void addMachine(Sql sql, UUID job, UUID machine) {
        sql.update("INSERT INTO job_machines (machine, job) VALUES (?, ?)", machine, job);
    }

    /** Whether a runner is started beside that machine. */
    public static boolean hasJob(Sql sql, UUID machine) {
        return sql.one("SELECT 1 FROM job_machines WHERE machine = ?", row -> true, machine)
                .isPresent();
    }

    private static Job read(Sql.Row row) throws SQLException {
        return new Job(
                row.object("id", UUID.class),
                row.number("version"),
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
                JobPhase.valueOf(row.text("phase")),
                row.time("since"),
                row.text("text"),
                row.integer("attempt"),
                row.integer("starts"),
                Optional.ofNullable(row.object("machine", UUID.class)),
                Optional.ofNullable(row.object("runner", UUID.class)),
                row.integer("silent"),
                row.optionalTime("begun_at"),
                row.optionalNumber("lease").map(Duration::ofMillis),
                row.optionalNumber("exit_code").map(Long::intValue),
                row.optionalText("stop_asked").map(Job.Stop::valueOf),
                row.optionalTime("retry_at"),
                row.time("created_at"));
    }
}
