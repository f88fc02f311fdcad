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

    /**
     * Stores a secret.
     *
     * @param version the version to change: 0 if the secret must not exist yet; empty for any version
     * @return false if the stored secret has another version
     */
    public static boolean put(
            Sql sql, String organisation, String project, String name, Sealed value, Optional<Long> version) {
        if (version.filter(known -> known > 0).isPresent()) {
            return sql.update(
                            "UPDATE secrets SET key_name = ?, sealed = ?, version = version + 1, changed_at = outpost_now()"
                                    + " WHERE organisation = ? AND project = ? AND name = ? AND version = ?",
                            value,
                            organisation,
                            project,
                            name,
                            version)
                    == 1;
        }
        String conflict = version.isPresent()
                ? "DO NOTHING"
                : "DO UPDATE SET key_name = excluded.key_name, sealed = excluded.sealed,"
                        + " version = secrets.version + 1, changed_at = outpost_now()";
        return sql.update(
                        "INSERT INTO secrets (organisation, project, name, key_name, sealed) VALUES (?, ?, ?, ?, ?)"
                                + " ON CONFLICT (organisation, project, name) " + conflict,
                        organisation,
                        project,
                        name,
                        value)
                == 1;
    }

    /** Removes a secret. Returns false if it does not exist, or has another version than {@code version}. */
    public static boolean remove(Sql sql, String organisation, String project, String name, Optional<Long> version) {
        return sql.update(
                        "DELETE FROM secrets WHERE organisation = ? AND project = ? AND name = ?"
                                + " AND version = coalesce(?, version)",
                        organisation,
                        project,
                        name,
                        version)
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
