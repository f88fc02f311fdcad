package dev.outpost.backend.store.deployment;

import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The tables of deployments and their revisions. */
public final class DeploymentRows {
    private DeploymentRows() {}

    /**
     * The properties of a revision's replicas.
     *
     * @param model the URI of the model
     * @param dtype the type to which weights are cast; empty to keep the stored type
     * @param failure the reason why the revision was given up
     */
    public record Revision(
            int number,
            String model,
            String gpu,
            Optional<String> dtype,
            Instant created,
            String createdBy,
            Optional<String> failure) {
        public boolean isSame(String otherModel, String otherGpu, Optional<String> otherType) {
            return model.equals(otherModel) && gpu.equals(otherGpu) && dtype.equals(otherType);
        }
    }

    /** A deployment's name. */
    public record Key(String organisation, String name) {
        /** Returns the name that {@link RowFailures} uses. */
        public String text() {
            return organisation + "/" + name;
        }
    }

    public static Optional<Deployment> find(Sql sql, Key key) {
        return sql.one("SELECT * FROM deployments WHERE organisation = ? AND name = ?", Deployment.class, key);
    }

    /** Locks the deployment and its replicas until the end of the transaction. */
    public static Optional<Deployment> lock(Sql sql, Key key) {
        return sql.one(
                "SELECT * FROM deployments WHERE organisation = ? AND name = ? FOR UPDATE", Deployment.class, key);
    }

    /** Returns the deployments of an organisation, or of one of its projects, after a name, ordered by name. */
    public static List<Deployment> page(
            Sql sql, String organisation, Optional<String> project, String after, int limit) {
        return sql.page(
                Deployment.class,
                "SELECT * FROM deployments",
                Filter.of("organisation = ?", organisation)
                        .andIf(project, "project = ?")
                        .and("name > ?", after),
                "name",
                limit);
    }

    /** Returns all deployments of an organisation, or of one of its projects, ordered by name. */
    public static List<Deployment> all(Sql sql, String organisation, Optional<String> project) {
        return page(sql, organisation, project, "", Integer.MAX_VALUE);
    }

    public static int count(Sql sql, String organisation) {
        return sql.one(
                        "SELECT count(*)::int AS deployments FROM deployments WHERE organisation = ?",
                        Integer.class,
                        organisation)
                .orElseThrow();
    }

    /** The name of the loop for deployments in {@link RowFailures}. */
    public static final String LOOP = "deployments";

    /** Locks a due deployment that no other replica has locked until the end of the transaction, and returns its name. */
    public static Optional<Key> lockDue(Sql sql) {
        return sql.one(
                "SELECT organisation, name FROM deployments WHERE due_at <= (SELECT outpost_now()) AND "
                        + RowFailures.notPaused(LOOP, "organisation || '/' || name")
                        + " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED",
                Key.class);
    }

    /** Inserts a deployment. Returns false if the name is taken. */
    public static boolean insert(Sql sql, Deployment row, Instant now) {
        return sql.insert(
                        "deployments",
                        Columns.of(
                                        row,
                                        "organisation, project, name, min, max, target, idle, revision, wanted, busy_at, text")
                                .and("due_at", now),
                        "ON CONFLICT (organisation, name) DO NOTHING")
                == 1;
    }

    /** Writes a row that this transaction has locked. */
    public static void update(Sql sql, Deployment row, Instant due) {
        sql.change(
                "deployments",
                Columns.of(
                                row,
                                "version, min, max, target, idle, revision, proven, wanted, busy_at, low_since, failures,"
                                        + " retry_at, text, removed")
                        .and("due_at", due),
                "organisation = ? AND name = ?",
                row.organisation(),
                row.name());
    }

    public static void delete(Sql sql, Key key) {
        sql.update("DELETE FROM deployments WHERE organisation = ? AND name = ?", key);
    }

    // ---- cold starts

    /**
     * The latest start from no replica.
     *
     * @param took the time from the request that caused it to the first token
     */
    public record FirstToken(Duration took, Instant told) {}

    public static void recordFirstToken(Sql sql, Key key, FirstToken first) {
        sql.update(
                "UPDATE deployments SET zero_to_token = ?, zero_to_token_at = ? WHERE organisation = ? AND name = ?",
                first.took(),
                first.told(),
                key);
    }

    /** Returns the latest cold start; empty if no gateway has reported one yet. */
    public static Optional<FirstToken> firstToken(Sql sql, Key key) {
        return sql.one(
                "SELECT zero_to_token AS took, zero_to_token_at AS told FROM deployments"
                        + " WHERE organisation = ? AND name = ? AND zero_to_token IS NOT NULL",
                FirstToken.class,
                key);
    }

    // ---- revisions

    /** The maximum number of revisions of a deployment that are read. */
    private static final int SHOWN = 200;

    /** Returns the latest revisions, ordered by number. */
    public static List<Revision> revisions(Sql sql, Key key) {
        return sql.query(
                "SELECT * FROM (SELECT * FROM deployment_revisions WHERE organisation = ? AND name = ? ORDER BY number DESC"
                        + " LIMIT " + SHOWN + ") r ORDER BY number",
                Revision.class,
                key);
    }

    public static Optional<Revision> revision(Sql sql, Key key, int number) {
        return sql.one(
                "SELECT * FROM deployment_revisions WHERE organisation = ? AND name = ? AND number = ?",
                Revision.class,
                key,
                number);
    }

    /** Adds a revision with the next number, and returns the number. */
    public static int addRevision(
            Sql sql, Key key, String model, String gpu, Optional<String> dtype, String createdBy) {
        return sql.one(
                        "INSERT INTO deployment_revisions (organisation, name, number, model, gpu, dtype, created_by)"
                                + " SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?::text, ? FROM deployment_revisions"
                                + " WHERE organisation = ? AND name = ? RETURNING number",
                        Integer.class,
                        key,
                        model,
                        gpu,
                        dtype,
                        createdBy,
                        key)
                .orElseThrow();
    }

    public static void failRevision(Sql sql, Key key, int number, String failure) {
        sql.update(
                "UPDATE deployment_revisions SET failure = ? WHERE organisation = ? AND name = ? AND number = ?",
                failure,
                key,
                number);
    }
}
