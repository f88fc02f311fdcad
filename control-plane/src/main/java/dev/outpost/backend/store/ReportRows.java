package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The table of the reports of machines about the use of their grants. */
public final class ReportRows {
    private ReportRows() {}

    /**
     * The latest report of a machine about a grant.
     *
     * @param lastSeen the time of the last contact to a client of the grant, by the machine's clock; empty if there was none
     * @param liveBytes the memory of the values of its sessions, in bytes
     * @param engineNanos the engine time of its sessions since the machine started, in nanoseconds
     */
    public record Report(
            UUID machine, String sha256, int sessions, Optional<Instant> lastSeen, long liveBytes, long engineNanos) {}

    /** A report and the time at which it arrived. */
    public record Stored(Report report, Instant at) {}

    /** Stores a batch of reports with one statement. A report replaces the machine's previous one. */
    public static void put(Sql sql, List<Report> batch) {
        put(sql, Optional.empty(), batch);
    }

    /** Stores a batch of reports about machines of one cluster. Drops reports about other machines. */
    public static void put(Sql sql, String cluster, List<Report> batch) {
        put(sql, Optional.of(cluster), batch);
    }

    private static void put(Sql sql, Optional<String> cluster, List<Report> batch) {
        if (batch.isEmpty()) {
            return;
        }
        sql.update(
                "INSERT INTO grant_reports (machine, sha256, sessions, last_seen, live_bytes, engine_nanos, reported_at)"
                        + " SELECT m.id, r.sha256, r.sessions::int,"
                        + " CASE WHEN seen = '' THEN NULL ELSE seen::timestamptz END, bytes::bigint, nanos::bigint, outpost_now()"
                        + " FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])"
                        + " AS r (machine, sha256, sessions, seen, bytes, nanos)"
                        + " JOIN machines m ON m.id = r.machine::uuid AND (?::text IS NULL OR m.cluster = ?)"
                        + " ON CONFLICT (machine, sha256) DO UPDATE SET sessions = excluded.sessions,"
                        + " last_seen = excluded.last_seen, live_bytes = excluded.live_bytes,"
                        + " engine_nanos = excluded.engine_nanos, reported_at = excluded.reported_at",
                column(batch, Report::machine),
                column(batch, Report::sha256),
                column(batch, Report::sessions),
                column(batch, report -> report.lastSeen().map(Instant::toString).orElse("")),
                column(batch, Report::liveBytes),
                column(batch, Report::engineNanos),
                cluster,
                cluster);
    }

    private static String[] column(List<Report> batch, Function<Report, ?> value) {
        return batch.stream().map(report -> value.apply(report).toString()).toArray(String[]::new);
    }

    public static List<Stored> of(Sql sql, UUID machine) {
        return sql.query(
                "SELECT *, reported_at AS at FROM grant_reports WHERE machine = ? ORDER BY sha256",
                Stored.class,
                machine);
    }
}
