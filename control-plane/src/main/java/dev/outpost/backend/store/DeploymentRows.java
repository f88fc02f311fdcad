package dev.outpost.backend.store;

import dev.outpost.backend.model.Deployment;
import dev.outpost.backend.model.Scale;
import java.sql.SQLException;
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
     * @param dtype what weights are cast to; as they are stored where it is empty
     * @param failure why it was given up
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
        /** As {@link RowFailures} names it. */
        public String text() {
            return organisation + "/" + name;
        }
    }

    public static Optional<Deployment> find(Sql sql, Key key) {
        return sql.one(
                "SELECT * FROM deployments WHERE organisation = ? AND name = ?",
                DeploymentRows::read,
                key.organisation(),
                key.name());
    }

    /** Locks the deployment and its replicas until the end of the transaction. */
    public static Optional<Deployment> lock(Sql sql, Key key) {
        return sql.one(
                "SELECT * FROM deployments WHERE organisation = ? AND name = ? FOR UPDATE",
                DeploymentRows::read,
                key.organisation(),
                key.name());
    }

    /** Of an organisation, or of one of its projects; by name, from behind one on. */
    public static List<Deployment> page(
            Sql sql, String organisation, Optional<String> project, String after, int limit) {
        return sql.query(
                "SELECT * FROM deployments WHERE organisation = ? AND (?::text IS NULL OR project = ?) AND name > ?"
                        + " ORDER BY name LIMIT ?",
                DeploymentRows::read,
                organisation,
                project,
                project,
                after,
                limit);
    }

    /** All of an organisation, or of one of its projects, by name. */
    public static List<Deployment> all(Sql sql, String organisation, Optional<String> project) {
        return page(sql, organisation, project, "", Integer.MAX_VALUE);
    }

    public static int count(Sql sql, String organisation) {
        return sql.one(
                        "SELECT count(*)::int AS deployments FROM deployments WHERE organisation = ?",
                        row -> row.integer("deployments"),
                        organisation)
                .orElseThrow();
    }

    /** The loop that works on deployments, by its name in {@link RowFailures}. */
    public static final String LOOP = "deployments";

    /** The name of one that is due, which no other replica has; locked until the end of the transaction. */
    public static Optional<Key> lockDue(Sql sql) {
        return sql.one(
                "SELECT organisation, name FROM deployments WHERE due_at <= (SELECT outpost_now()) AND "
                        + RowFailures.notPaused(LOOP, "organisation || '/' || name")
                        + " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED",
                row -> new Key(row.text("organisation"), row.text("name")));
    }

    /** False where there is one of that name. */
    public static boolean insert(Sql sql, Deployment row, Instant now) {
        return sql.update(
                        "INSERT INTO deployments (organisation, project, name, min, max, target, idle, revision, wanted, busy_at,"
                                + " text, due_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                                + " ON CONFLICT (organisation, name) DO NOTHING",
                        row.organisation(),
                        row.project(),
                        row.name(),
                        row.scale().min(),
                        row.scale().max(),
                        row.scale().target(),
                        row.scale().idle().toMillis(),
                        row.revision(),
                        row.wanted(),
                        row.busyAt(),
                        row.text(),
                        now)
                == 1;
    }

    /** Writes a row that this transaction has locked. */
    public static void update(Sql sql, Deployment row, Instant due) {
        sql.update(
                "UPDATE deployments SET version = ?, min = ?, max = ?, target = ?, idle = ?, revision = ?, proven = ?,"
                        + " wanted = ?, busy_at = ?, low_since = ?, failures = ?, retry_at = ?, text = ?, removed = ?, due_at = ?"
                        + " WHERE organisation = ? AND name = ?",
                row.version(),
                row.scale().min(),
                row.scale().max(),
                row.scale().target(),
                row.scale().idle().toMillis(),
                row.revision(),
                row.proven(),
                row.wanted(),
                row.busyAt(),
                row.lowSince(),
                row.failures(),
                row.retryAt(),
                row.text(),
                row.isRemoved(),
                due,
                row.organisation(),
                row.name());
    }

    public static void delete(Sql sql, Key key) {
        sql.update("DELETE FROM deployments WHERE organisation = ? AND name = ?", key.organisation(), key.name());
    }

    // ---- from zero

    /**
     * The latest start from no replica.
     *
     * @param took from the request that began it to the first token
     */
    public record FirstToken(Duration took, Instant told) {}

    public static void recordFirstToken(Sql sql, Key key, FirstToken first) {
        sql.update(
                "UPDATE deployments SET zero_to_token = ?, zero_to_token_at = ? WHERE organisation = ? AND name = ?",
                first.took().toMillis(),
                first.told(),
                key.organisation(),
                key.name());
    }

    /** Nothing where a gateway has told of none yet. */
    public static Optional<FirstToken> firstToken(Sql sql, Key key) {
        return sql.one(
                "SELECT zero_to_token, zero_to_token_at FROM deployments"
                        + " WHERE organisation = ? AND name = ? AND zero_to_token IS NOT NULL",
                row -> new FirstToken(Duration.ofMillis(row.number("zero_to_token")), row.time("zero_to_token_at")),
                key.organisation(),
                key.name());
    }

    // ---- revisions

    /** Revisions of one deployment that are read: the latest ones. */
    private static final int SHOWN = 200;

    /** The latest ones, in the order of their numbers. */
    public static List<Revision> revisions(Sql sql, Key key) {
        return sql.query(
                "SELECT * FROM (SELECT * FROM deployment_revisions WHERE organisation = ? AND name = ? ORDER BY number DESC"
                        + " LIMIT " + SHOWN + ") r ORDER BY number",
                DeploymentRows::readRevision,
                key.organisation(),
                key.name());
    }

    public static Optional<Revision> revision(Sql sql, Key key, int number) {
        return sql.one(
                "SELECT * FROM deployment_revisions WHERE organisation = ? AND name = ? AND number = ?",
                DeploymentRows::readRevision,
                key.organisation(),
                key.name(),
                number);
    }

    /** Adds one behind all that there are; its number. */
    public static int addRevision(
            Sql sql, Key key, String model, String gpu, Optional<String> dtype, String createdBy) {
        return sql.one(
                        "INSERT INTO deployment_revisions (organisation, name, number, model, gpu, dtype, created_by)"
                                + " SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?::text, ? FROM deployment_revisions"
                                + " WHERE organisation = ? AND name = ? RETURNING number",
                        row -> row.integer("number"),
                        key.organisation(),
                        key.name(),
                        model,
                        gpu,
                        dtype,
                        createdBy,
                        key.organisation(),
                        key.name())
                .orElseThrow();
    }

    public static void failRevision(Sql sql, Key key, int number, String failure) {
        sql.update(
                "UPDATE deployment_revisions SET failure = ? WHERE organisation = ? AND name = ? AND number = ?",
                failure,
                key.organisation(),
                key.name(),
                number);
    }

    private static Deployment read(Sql.Row row) throws SQLException {
        return new Deployment(
                row.text("organisation"),
                row.text("project"),
                row.text("name"),
                row.number("version"),
                new Scale(
                        row.integer("min"),
                        row.integer("max"),
                        row.integer("target"),
                        Duration.ofMillis(row.number("idle"))),
                row.integer("revision"),
                row.optionalNumber("proven").map(Long::intValue),
                row.integer("wanted"),
                row.time("busy_at"),
                row.optionalTime("low_since"),
                row.integer("failures"),
                row.optionalTime("retry_at"),
                row.text("text"),
                row.flag("removed"));
    }

    private static Revision readRevision(Sql.Row row) throws SQLException {
        return new Revision(
                row.integer("number"),
                row.text("model"),
                row.text("gpu"),
                row.optionalText("dtype"),
                row.time("created_at"),
                row.text("created_by"),
                row.optionalText("failure"));
    }
}
