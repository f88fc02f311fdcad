package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table of administrative acts. Rows are only added. */
public final class AuditRows {
    private AuditRows() {}

    /**
     * An act.
     *
     * @param actor the key of the caller
     * @param action such as {@code quota.set}
     * @param detail a sentence without secrets
     */
    public record Stored(long sequence, Instant at, String actor, String action, String target, String detail) {}

    public static void add(Sql sql, String organisation, String actor, String action, String target, String detail) {
        sql.update(
                "INSERT INTO audit (organisation, actor, action, target, detail) VALUES (?, ?, ?, ?, ?)",
                organisation,
                actor,
                action,
                target,
                detail);
        WebhookRows.enqueue(
                sql,
                WebhookRows.Told.of(
                        organisation, Optional.empty(), "audit." + action, sql.now(), "audit", target, detail));
    }

    /** Returns the acts before a number, newest first. */
    public static List<Stored> page(Sql sql, String organisation, long before, int limit) {
        return sql.query(
                // The "+ 0" stops PostgreSQL from using the index of seq, by which it would read the acts of all
                // organisations to find the acts of one organisation.
                "SELECT *, seq AS sequence FROM audit WHERE organisation = ? AND (seq + 0) < ? AND (seq + 0) >"
                        // Acts of a removed organisation of the same name.
                        + " (SELECT acts_before FROM organisations WHERE name = ?)"
                        + " ORDER BY (seq + 0) DESC LIMIT ?",
                Stored.class,
                organisation,
                before,
                organisation,
                limit);
    }
}
