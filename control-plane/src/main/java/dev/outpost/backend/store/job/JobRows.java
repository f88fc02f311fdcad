package dev.outpost.backend.store.job;

import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobStateMachine;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.job.JobPhase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables of jobs, and of the machines beside which their runners start. */
public final class JobRows {
    private static final String SELECT = "SELECT j.*, j.stop_asked AS stop FROM jobs j";

    private JobRows() {}

    /** An event of a job. */
    public record Event(long sequence, Instant at, JobPhase phase, String text) {}

    public static Optional<Job> find(Sql sql, UUID id) {
        return sql.one(SELECT + " WHERE id = ?", Job.class, id);
    }

    /** Locks the row until the end of the transaction. */
    public static Optional<Job> lock(Sql sql, UUID id) {
        return sql.one(SELECT + " WHERE id = ? FOR UPDATE", Job.class, id);
    }

    /** Locks and returns the job for which a machine was requested. */
    public static Optional<Job> lockOf(Sql sql, UUID machine) {
        return sql.one(
                SELECT + " JOIN job_machines m ON m.job = j.id WHERE m.machine = ? FOR UPDATE OF j",
                Job.class,
                machine);
    }

    /** The name of the loop for jobs in {@link RowFailures}. */
    public static final String LOOP = "jobs";

    /** Locks a due job that no other replica has locked until the end of the transaction, and returns its id. */
    public static Optional<UUID> lockDue(Sql sql) {
        return sql.one(
                "SELECT id FROM jobs WHERE due_at <= (SELECT outpost_now()) AND "
                        + RowFailures.notPaused(LOOP, "id::text")
                        + " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED",
                UUID.class);
    }

    /** Returns jobs whose machines are ready and whose runners have not reported for {@code looks} checks or more. */
    public static List<Job> unheard(Sql sql, int looks, int limit) {
        return sql.query(
                SELECT + " WHERE due_at IS NOT NULL AND phase = 'STARTING' AND silent >= ? ORDER BY due_at LIMIT ?",
                Job.class,
                looks,
                limit);
    }

    /** Returns the jobs of an organisation, or of one of its projects, after a position, newest first. */
    public static List<Job> page(
            Sql sql, String organisation, Optional<String> project, Optional<MachineRows.Position> after, int limit) {
        Filter filter = Filter.of("organisation = ?", organisation).andIf(project, "project = ?");
        after.ifPresent(last -> filter.and("(created_at, id) < (?, ?)", last));
        return sql.page(Job.class, SELECT, filter, "created_at DESC, id DESC", limit);
    }

    /** Inserts a job. Returns false if the id is taken. */
    public static boolean insert(Sql sql, Job job) {
        boolean isNew = sql.insert(
                        "jobs",
                        Columns.of(
                                        job,
                                        "id, version, organisation, project, owner, key_id, name, gpu, program, program_name,"
                                                + " arguments, environment, secrets, retries, timeout, phase, since, text,"
                                                + " attempt, starts, silent, created_at")
                                .and("due_at", JobStateMachine.due(job, job.created())),
                        "ON CONFLICT (id) DO NOTHING")
                == 1;
        if (isNew) {
            notifyChange(sql, job, job.created());
        }
        return isNew;
    }

    /** Writes a row that this transaction has locked, and adds an event if the phase or the text has changed. */
    public static void update(Sql sql, Job before, Job job, Instant now) {
        sql.change(
                "jobs",
                Columns.of(
                                job,
                                "version, phase, since, text, attempt, starts, machine, runner, silent, begun_at, lease,"
                                        + " exit_code, retry_at")
                        .and("stop_asked", job.stop())
                        .and("due_at", JobStateMachine.due(job, now)),
                "id = ?",
                job.id());
        if (before.phase() != job.phase() || !before.text().equals(job.text())) {
            notifyChange(sql, job, now);
        }
    }

    private static void notifyChange(Sql sql, Job job, Instant now) {
        sql.insert(
                "job_events",
                Columns.of(job, "phase, text").and("job", job.id()).and("at", now));
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

    /** Adds an event once without a change of the phase. */
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
                "SELECT *, seq AS sequence FROM job_events WHERE job = ? ORDER BY seq LIMIT ?",
                Event.class,
                job,
                limit);
    }

    // ---- machines

    public static void addMachine(Sql sql, UUID job, UUID machine) {
        sql.update("INSERT INTO job_machines (machine, job) VALUES (?, ?)", machine, job);
    }

    /** True if a runner is started beside this machine. */
    public static boolean hasJob(Sql sql, UUID machine) {
        return sql.exists("SELECT 1 FROM job_machines WHERE machine = ?", machine);
    }
}
