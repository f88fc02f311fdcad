package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The table of rows that a loop failed to process, with the times of the next tries. */
public final class RowFailures {
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    private static final int LONGEST_TEXT = 500;

    private RowFailures() {}

    /**
     * A row that failed.
     *
     * @param loop the loop in which it failed
     * @param row the name of the row in this loop
     * @param failures the number of failures since the last success
     * @param retry the time of the next try
     */
    public record Failure(String loop, String row, int failures, String text, Instant since, Instant retry) {}

    /**
     * Returns the SQL of a condition that is true unless a row is paused after a failure.
     *
     * @param key an expression of SQL for the name of the row
     */
    public static String notPaused(String loop, String key) {
        return "NOT EXISTS (SELECT 1 FROM row_failures f WHERE f.loop = '" + loop + "' AND f.row_key = " + key
                + " AND f.retry_at > (SELECT outpost_now()))";
    }

    /**
     * Records another failure of a row, and returns the pause until the next try. The pause doubles with each failure, from 2 s to 10 min.
     */
    static Duration note(Sql sql, String loop, String row, String text) {
        long seconds = sql.one(
                        "INSERT INTO row_failures AS f (loop, row_key, failures, text, since, retry_at)"
                                + " VALUES (?, ?, 1, ?, outpost_now(), outpost_now() + interval '2 seconds')"
                                + " ON CONFLICT (loop, row_key) DO UPDATE SET failures = f.failures + 1,"
                                + " text = excluded.text, retry_at = outpost_now() + interval '1 second'"
                                + " * least(?, power(2, least(f.failures + 1, 20)))"
                                + " RETURNING least(?, power(2, least(failures, 20)))::bigint AS seconds",
                        Long.class,
                        loop,
                        row,
                        text.substring(0, Math.min(LONGEST_TEXT, text.length())).replace('\0', ' '),
                        LONGEST_PAUSE.toSeconds(),
                        LONGEST_PAUSE.toSeconds())
                .orElseThrow();
        return Duration.ofSeconds(seconds);
    }

    static void forget(Sql sql, String loop, String row) {
        sql.update("DELETE FROM row_failures WHERE loop = ? AND row_key = ?", loop, row);
    }

    /** Returns the rows of a loop that are paused now. */
    static Set<String> paused(Sql sql, String loop) {
        return new HashSet<>(sql.query(
                "SELECT row_key FROM row_failures WHERE loop = ? AND retry_at > outpost_now()", String.class, loop));
    }

    /** Returns the failures after a position, ordered by loop and row. */
    public static List<Failure> page(Sql sql, String afterLoop, String afterRow, int limit) {
        return sql.query(
                "SELECT *, row_key AS row FROM row_failures WHERE (loop, row_key) > (?, ?) ORDER BY loop, row_key LIMIT ?",
                Failure.class,
                afterLoop,
                afterRow,
                limit);
    }

    public static int count(Sql sql) {
        return sql.one("SELECT count(*)::int AS failures FROM row_failures", Integer.class)
                .orElse(0);
    }

    /** Removes rows that were not tried again after their pause, because they are not due any more or do not exist. */
    public static Retention.Step forget(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "row_failures", "true", "retry_at", span);
    }
}
