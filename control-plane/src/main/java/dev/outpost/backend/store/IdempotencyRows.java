package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Sql;
import java.util.Arrays;
import java.util.Optional;

/** The table of answered requests, so that a repeated request gets the same answer. */
public final class IdempotencyRows {
    private IdempotencyRows() {}

    /** A stored answer. */
    public record Answer(byte[] request, int status, String body) {
        public boolean isOf(byte[] other) {
            return Arrays.equals(request, other);
        }
    }

    public static Optional<Answer> find(Sql sql, String organisation, String key) {
        // Concurrent requests with the same key run one after the other.
        sql.query("SELECT pg_advisory_xact_lock(hashtextextended(?, 26)) AS l", row -> true, organisation + "/" + key);
        return sql.one("SELECT * FROM idempotency WHERE organisation = ? AND key = ?", Answer.class, organisation, key);
    }

    public static void keep(Sql sql, String organisation, String key, Answer answer) {
        sql.insert(
                "idempotency",
                Columns.of(answer, "request, status, body")
                        .and("organisation", organisation)
                        .and("key", key));
    }

    public static Retention.Step forget(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "idempotency", "true", "created_at", span);
    }
}
