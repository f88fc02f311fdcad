package dev.outpost.backend.store.job;

import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.store.Retention;
import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables of the runs of jobs, with their logs and uploaded files. */
public final class AttemptRows {
    private AttemptRows() {}

    /** A run that began. */
    public record Attempt(UUID job, int number, UUID machine, UUID log, Instant begun) {}

    /** A file that a run uploaded. */
    public record Artefact(String path, UUID content, long size) {}

    public static void add(Sql sql, Job job, int number, UUID machine) {
        sql.update(
                "INSERT INTO job_attempts (job, number, machine, log) VALUES (?, ?, ?, ?)",
                job.id(),
                number,
                machine,
                ContentRows.create(sql, job.spec().organisation()));
    }

    public static List<Attempt> of(Sql sql, UUID job) {
        return sql.query("SELECT * FROM job_attempts WHERE job = ? ORDER BY number", Attempt.class, job);
    }

    public static Optional<Attempt> find(Sql sql, UUID job, int number) {
        return sql.one("SELECT * FROM job_attempts WHERE job = ? AND number = ?", Attempt.class, job, number);
    }

    /** Returns the run of a machine, even if the job has begun another run since. */
    public static Optional<Attempt> ofMachine(Sql sql, UUID machine) {
        return sql.one("SELECT * FROM job_attempts WHERE machine = ?", Attempt.class, machine);
    }

    /** Returns the content of the file with this path, and makes it if it does not exist. */
    public static UUID artefact(Sql sql, Job job, int attempt, String path) {
        return artefact(sql, job.id(), attempt, path).map(Artefact::content).orElseGet(() -> {
            UUID content = ContentRows.create(sql, job.spec().organisation());
            sql.update(
                    "INSERT INTO job_artefacts (job, attempt, path, content) VALUES (?, ?, ?, ?)",
                    job.id(),
                    attempt,
                    path,
                    content);
            return content;
        });
    }

    /** Returns the file with this path that a run has uploaded. */
    public static Optional<Artefact> artefact(Sql sql, UUID job, int attempt, String path) {
        return sql.one(
                "SELECT a.path, a.content, c.size FROM job_artefacts a JOIN contents c ON c.id = a.content"
                        + " WHERE a.job = ? AND a.attempt = ? AND a.path = ?",
                Artefact.class,
                job,
                attempt,
                path);
    }

    public static List<Artefact> artefacts(Sql sql, UUID job, int attempt) {
        return sql.query(
                "SELECT a.path, a.content, c.size FROM job_artefacts a JOIN contents c ON c.id = a.content"
                        + " WHERE a.job = ? AND a.attempt = ? ORDER BY a.path",
                Artefact.class,
                job,
                attempt);
    }

    /** Removes jobs that ended long ago, with their logs and files. */
    public static Retention.Step forget(Sql sql, Retention.Span span) {
        record Old(UUID id, Instant since) {}
        List<Old> old = sql.query(
                "SELECT id, since FROM jobs WHERE due_at IS NULL AND since >= ? AND since < ? ORDER BY since LIMIT ?"
                        + " FOR UPDATE SKIP LOCKED",
                Old.class,
                span.from(),
                span.before(),
                span.limit());
        if (old.isEmpty()) {
            return new Retention.Step(0, span.from());
        }
        List<UUID> ids = old.stream().map(Old::id).toList();
        List<UUID> contents = sql.query(
                "SELECT log AS content FROM job_attempts WHERE job = ANY (?)"
                        + " UNION ALL SELECT content FROM job_artefacts WHERE job = ANY (?)",
                UUID.class,
                ids,
                ids);
        sql.update("DELETE FROM jobs WHERE id = ANY (?)", ids);
        ContentRows.delete(sql, contents);
        return new Retention.Step(old.size(), old.getLast().since());
    }
}
