package dev.outpost.backend.store;

import dev.outpost.backend.seal.Sealed;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table of secrets, sealed. */
public final class SecretRows {
    private SecretRows() {}

    /** A secret of a project, without its value. */
    public record Stored(String project, String name, long version, Instant changed, Sealed value) {}

    /** What a secret is sealed for. */
    public static String place(String organisation, String project, String name) {
        return "secret/" + organisation + "/" + project + "/" + name;
    }

    public static Optional<Stored> find(Sql sql, String organisation, String project, String name) {
        return sql.one(
                "SELECT * FROM secrets WHERE organisation = ? AND project = ? AND name = ?",
                SecretRows::read,
                organisation,
                project,
                name);
    }

    public static List<Stored> page(Sql sql, String organisation, String project, String after, int limit) {
        return sql.query(
                "SELECT * FROM secrets WHERE organisation = ? AND project = ? AND name > ? ORDER BY name LIMIT ?",
                SecretRows::read,
                organisation,
                project,
                after,
                limit);
    }

    /** The version from then on. */
    public static long put(Sql sql, String organisation, String project, String name, Sealed value) {
        return sql.one(
                        "INSERT INTO secrets (organisation, project, name, key_name, sealed) VALUES (?, ?, ?, ?, ?)"
                                + " ON CONFLICT (organisation, project, name) DO UPDATE SET key_name = excluded.key_name,"
                                + " sealed = excluded.sealed, version = secrets.version + 1, changed_at = outpost_now()"
                                + " RETURNING version",
                        row -> row.number("version"),
                        organisation,
                        project,
                        name,
                        value.keyName(),
                        value.bytes())
                .orElseThrow();
    }

    /** False where there is none. */
    public static boolean remove(Sql sql, String organisation, String project, String name) {
        return sql.update(
                        "DELETE FROM secrets WHERE organisation = ? AND project = ? AND name = ?",
                        organisation,
                        project,
                        name)
                == 1;
    }

    /** The loop that seals secrets again, by its name in {@link RowFailures}. */
    public static final String LOOP = "reseal-secrets";

    /** The name of a secret. */
    public record Key(String organisation, String project, String name) {
        public String text() {
            return String.join("/", organisation, project, name);
        }
    }

    /** The name of a secret that was sealed by another key than that one; locked. */
    public static Optional<Key> sealedByAnother(Sql sql, String keyName) {
        return sql.one(
                "SELECT organisation, project, name FROM secrets WHERE key_name <> ? AND "
                        + RowFailures.notPaused(LOOP, "organisation || '/' || project || '/' || name")
                        + " LIMIT 1 FOR UPDATE SKIP LOCKED",
                row -> new Key(row.text("organisation"), row.text("project"), row.text("name")),
                keyName);
    }

    /** Writes the same value under another key. */
    public static void reseal(Sql sql, Key secret, Sealed value) {
        sql.update(
                "UPDATE secrets SET key_name = ?, sealed = ? WHERE organisation = ? AND project = ? AND name = ?",
                value.keyName(),
                value.bytes(),
                secret.organisation(),
                secret.project(),
                secret.name());
    }

    private static Stored read(Sql.Row row) throws SQLException {
        return new Stored(
                row.text("project"),
                row.text("name"),
                row.number("version"),
                row.time("changed_at"),
                new Sealed(row.text("key_name"), row.bytes("sealed")));
    }
}
