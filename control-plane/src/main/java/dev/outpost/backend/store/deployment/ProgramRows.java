package dev.outpost.backend.store.deployment;

import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Sql;
import java.util.List;
import java.util.Optional;

/** The table of published programs, by organisation and hash, and the deployments that serve them. */
public final class ProgramRows {
    /**
     * The prefix of a deployment's model URI if the deployment serves a program. The hash of the program's file
     * follows.
     */
    public static final String SCHEME = "program:";

    private static final String SERVED =
            "SELECT d.name, d.project, d.text, r.gpu, p.*, p.most_rows AS max_rows FROM deployments d"
                    + " JOIN deployment_revisions r ON r.organisation = d.organisation AND r.name = d.name AND r.number = d.revision"
                    + " JOIN programs p ON p.organisation = d.organisation AND r.model = '" + SCHEME + "' || p.sha256"
                    + " WHERE NOT d.removed AND d.organisation = ?";

    private ProgramRows() {}

    /**
     * A program.
     *
     * @param inputs the dtypes and shapes of its inputs
     * @param outputs the dtypes and shapes of its outputs
     * @param maxRows the maximum number of rows that are computed at a time; 0 if calls are not batched
     */
    public record Stored(String sha256, List<String> inputs, List<String> outputs, int maxRows) {}

    /** A program that is served. */
    public record Served(String name, String project, String text, String gpu, Stored program) {}

    /** Records that a file is a program. An existing entry stays unchanged. */
    public static void put(Sql sql, String organisation, Stored program) {
        sql.insert(
                "programs",
                Columns.of(program, "sha256, inputs, outputs")
                        .and("most_rows", program.maxRows())
                        .and("organisation", organisation),
                "ON CONFLICT (organisation, sha256) DO NOTHING");
    }

    /** Returns the programs of an organisation, or of one of its projects, after a name, ordered by name. */
    public static List<Served> page(Sql sql, String organisation, Optional<String> project, String after, int limit) {
        return sql.query(
                SERVED + " AND (?::text IS NULL OR d.project = ?) AND d.name > ? ORDER BY d.name LIMIT ?",
                Served.class,
                organisation,
                project,
                project,
                after,
                limit);
    }

    public static Optional<Served> find(Sql sql, String organisation, String name) {
        return sql.one(SERVED + " AND d.name = ?", Served.class, organisation, name);
    }

    /** Returns the file with that hash, if some revision of the program has it. */
    public static Optional<FileRows.Stored> file(Sql sql, String organisation, String name, String sha256) {
        boolean isRevision = sql.exists(
                "SELECT number FROM deployment_revisions WHERE organisation = ? AND name = ? AND model = ? LIMIT 1",
                organisation,
                name,
                SCHEME + sha256);
        return isRevision ? FileRows.find(sql, organisation, sha256) : Optional.empty();
    }
}
