package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.util.Optional;

/** The table of sessions of browsers. It stores only the hashes of their secrets. */
public final class SessionRows {
    private SessionRows() {}

    /**
     * A session.
     *
     * @param keyId the id of the key whose rights it has
     */
    public record Stored(byte[] hash, String keyId, Instant expires) {}

    /** The maximum number of sessions of a key. */
    public static final int OF_KEY = 20;

    /** Adds a session. Ends the oldest ones of the key if there are more than {@link #OF_KEY} then. */
    public static void add(Sql sql, Stored session) {
        // Two logins with one key take turns, so that each counts the session of the other.
        KeyRows.lock(sql, session.keyId());
        sql.update(
                "INSERT INTO browser_sessions (hash, key_id, expires_at) VALUES (?, ?, ?)",
                session.hash(),
                session.keyId(),
                session.expires());
        sql.update(
                "DELETE FROM browser_sessions WHERE hash IN (SELECT hash FROM browser_sessions WHERE key_id = ?"
                        + " AND hash <> ? ORDER BY created_at DESC, hash OFFSET ?)",
                session.keyId(),
                session.hash(),
                OF_KEY - 1);
    }

    /** Finds a session that has not expired. */
    public static Optional<Stored> find(Sql sql, byte[] hash) {
        return sql.one(
                "SELECT * FROM browser_sessions WHERE hash = ? AND expires_at > outpost_now()",
                row -> new Stored(row.bytes("hash"), row.text("key_id"), row.time("expires_at")),
                (Object) hash);
    }

    /** Ends a session. Returns false if there is none. */
    public static boolean remove(Sql sql, byte[] hash) {
        return sql.update("DELETE FROM browser_sessions WHERE hash = ?", (Object) hash) == 1;
    }

    /** Removes expired sessions. */
    public static Retention.Step forget(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "browser_sessions", "true", "expires_at", span);
    }
}
