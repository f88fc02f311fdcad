package dev.outpost.backend.store.job;

import dev.outpost.backend.seal.Sealed;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table of sealed secrets. */
public final class SecretRows {
    private SecretRows() {}

    /** A secret of a project, without its value. */
    public record Stored(String project, String name, long version, Instant changed, Sealed value) {}

    /** Returns the place for which a secret is sealed. */
    public static String place(String organisation, String project, String name) {
        return "secret/" + organisation + "/" + project + "/" + name;
    }

    public static Optional<Stored> find(Sql sql, String organisation, String project, String name) {
        return sql.one(
                "SELECT *, sealed AS bytes FROM secrets WHERE organisation = ? AND project = ? AND name = ?",
                Stored.class,
                organisation,
                project,
                name);
    }

    public static List<Stored> page(Sql sql, String organisation, String project, String after, int limit) {
        return sql.query(
                "SELECT *, sealed AS bytes FROM secrets WHERE organisation = ? AND project = ? AND name > ? ORDER BY name LIMIT ?",
                Stored.class,
                organisation,
                project,
                after,
                limit);
    }

    /** Stores a secret, and returns its new version. */
    public static long put(Sql sql, String organisation, String project, String name, Sealed value) {
        return sql.one(
                        "INSERT INTO secrets (organisation, project, name, key_name, sealed) VALUES (?, ?, ?, ?, ?)"
                                + " ON CONFLICT (organisation, project, name) DO UPDATE SET key_name = excluded.key_name,"
                                + " sealed = excluded.sealed, version = secrets.version + 1, changed_at = outpost_now()"
                                + " RETURNING version",
                        Long.class,
                        organisation,
                        project,
                        name,
                        value)
                .orElseThrow();
    }

    /** Removes a secret. Returns false if it does not exist. */
    public static boolean remove(Sql sql, String organisation, String project, String name) {
        return sql.update(
                        "DELETE FROM secrets WHERE organisation = ? AND project = ? AND name = ?",
                        organisation,
                        project,
                        name)
                == 1;
    }

    /** The name of the loop that seals secrets again, in {@link RowFailures}. */
    public static final String LOOP = "reseal-secrets";

    /** The name of a secret. */
    public record Key(String organisation, String project, String name) {
        public String text() {
            return String.join("/", organisation, project, name);
        }
    }

    /** Locks a secret that another key sealed, and returns its name. */
    public static Optional<Key> sealedByAnother(Sql sql, String keyName) {
        return sql.one(
                "SELECT organisation, project, name FROM secrets WHERE key_name <> ? AND "
                        + RowFailures.notPaused(LOOP, "organisation || '/' || project || '/' || name")
                        + " LIMIT 1 FOR UPDATE SKIP LOCKED",
                Key.class,
                keyName);
    }

    /** Replaces the sealed value by the same value under another key. */
    public static void reseal(Sql sql, Key secret, Sealed value) {
        sql.update(
                "UPDATE secrets SET key_name = ?, sealed = ? WHERE organisation = ? AND project = ? AND name = ?",
                value,
                secret);
    }
}
