package dev.outpost.backend.store;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables of the runs of jobs: their logs, and the files that they left. */
public final class AttemptRows {
    private AttemptRows() {}

    /** A run that began. */
    public record Attempt(int number, UUID machine, UUID log, Instant begun) {}

    /** A file that a run left. */
    public record Artefact(String path, UUID content, long size) {}

    public static void add(Sql sql, UUID job, int number, UUID machine) {
        sql.update(
                "INSERT INTO job_attempts (job, number, machine, log) VALUES (?, ?, ?, ?)",
                job,
                number,
                machine,
                ContentRows.create(sql));
    }

    public static List<Attempt> of(Sql sql, UUID job) {
        return sql.query("SELECT * FROM job_attempts WHERE job = ? ORDER BY number", AttemptRows::read, job);
    }

    public static Optional<Attempt> find(Sql sql, UUID job, int number) {
        return sql.one("SELECT * FROM job_attempts WHERE job = ? AND number = ?", AttemptRows::read, job, number);
    }

    /** The run of a machine, also where the job has gone on since then. */
    public static Optional<Attempt> ofMachine(Sql sql, UUID machine) {
        return sql.one("SELECT * FROM job_attempts WHERE machine = ?", AttemptRows::read, machine);
    }

    /** The file of that path, made where there is none. */
    public static UUID artefact(Sql sql, UUID job, int attempt, String path) {
        return artefacts(sql, job, attempt).stream()
                .filter(one -> one.path().equals(path))
                .map(Artefact::content)
                .findFirst()
                .orElseGet(() -> {
                    UUID content = ContentRows.create(sql);
                    sql.update(
                            "INSERT INTO job_artefacts (job, attempt, path, content) VALUES (?, ?, ?, ?)",
                            job,
                            attempt,
                            path,
                            content);
                    return content;
                });
    }

    public static List<Artefact> artefacts(Sql sql, UUID job, int attempt) {
        return sql.query(
                "SELECT a.path, a.content, c.size FROM job_artefacts a JOIN contents c ON c.id = a.content"
                        + " WHERE a.job = ? AND a.attempt = ? ORDER BY a.path",
                row -> new Artefact(row.text("path"), row.object("content", UUID.class), row.number("size")),
                job,
                attempt);
    }

    /** Removes jobs that were over before that time, with all that they left. */
    public static void forget(Sql sql, Instant before) {
        List<UUID> old = sql.query(
                "SELECT id FROM jobs WHERE due_at IS NULL AND since < ? ORDER BY since LIMIT 1000 FOR UPDATE SKIP LOCKED",
                row -> row.object("id", UUID.class),
                before);
        if (old.isEmpty()) {
            return;
        }
        List<UUID> contents = sql.query(
                "SELECT log AS content FROM job_attempts WHERE job = ANY (?)"
                        + " UNION ALL SELECT content FROM job_artefacts WHERE job = ANY (?)",
                row -> row.object("content", UUID.class),
                old,
                old);
        sql.update("DELETE FROM jobs WHERE id = ANY (?)", old);
        ContentRows.delete(sql, contents);
    }

    private static Attempt read(Sql.Row row) throws SQLException {
        return new Attempt(
                row.integer("number"),
                row.object("machine", UUID.class),
                row.object("log", UUID.class),
                row.time("begun_at"));
    }
}
