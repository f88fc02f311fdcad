package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The latest time that the database's clock has shown, and the times for which rows wait. */
public final class ClockRows {
    /** The columns with times for which work waits. Schedules are left out, because they follow the calendar. */
    private static final List<String> WAITING = List.of(
            "machines.due_at",
            "machines.lock_until",
            "jobs.due_at",
            "jobs.retry_at",
            "deployments.due_at",
            "deployments.retry_at",
            "pools.due_at",
            "pools.retry_at",
            "webhook_deliveries.due_at",
            "row_failures.retry_at",
            "clusters.observer_until");

    private ClockRows() {}

    /**
     * Records the time. Returns the time by which the clock is behind the latest time that it has shown; zero if it
     * is not behind.
     */
    public static Duration note(Sql sql) {
        Optional<Instant> seen = sql.one("SELECT seen_at FROM clock FOR UPDATE", Instant.class);
        Instant now = sql.now();
        sql.update(
                "INSERT INTO clock (seen_at) VALUES (?) ON CONFLICT (one) DO UPDATE SET seen_at = excluded.seen_at",
                now);
        Instant latest = seen.orElse(now);
        return latest.isAfter(now) ? Duration.between(now, latest) : Duration.ZERO;
    }

    /**
     * Subtracts the step of the clock from the times for which rows wait, so that each row waits as long as planned.
     */
    public static void bringForward(Sql sql, Duration step) {
        for (String column : WAITING) {
            String table = column.substring(0, column.indexOf('.'));
            String name = column.substring(column.indexOf('.') + 1);
            sql.update(
                    "UPDATE " + table + " SET " + name + " = greatest(outpost_now(), " + name
                            + " - ? * interval '1 millisecond') WHERE " + name + " > outpost_now()",
                    step.toMillis());
        }
    }
}
