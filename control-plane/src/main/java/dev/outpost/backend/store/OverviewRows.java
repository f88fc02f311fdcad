package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Numbers of the whole installation, for its metrics. They name no tenant. */
public final class OverviewRows {
    /** The end reasons that are failures. */
    public static final List<EndReason> FAILURES =
            List.of(EndReason.FAILED, EndReason.LOST, EndReason.REFUSED, EndReason.START_TIMEOUT);

    private OverviewRows() {}

    /** The part of its life in which a machine failed. */
    public enum Stage {
        /** It was never ready. */
        START,

        /** It had been ready. */
        USE
    }

    /** A kind of failures. */
    public record Failure(EndReason reason, Stage stage) {}

    /**
     * Machines whose cost a budget reserves.
     *
     * @param live the machines that may run
     * @param overdue those of them that should have ended or got a new hold already
     */
    public record Holds(long live, long overdue) {}

    /** Replicas of deployments: those that the load needs, and those that gateways reported as serving within a minute. */
    public record Replicas(long wanted, long serving) {}

    /**
     * Standbys of the database.
     *
     * @param lag the seconds by which the last of them is behind; empty if this user may not read it
     */
    public record Standbys(long number, Optional<Double> lag) {}

    /**
     * One state of the installation; ages are seconds.
     *
     * @param latency the time of one statement
     * @param queueAges the age of the oldest request by the phase in which it waits
     * @param failures the machines that failed within an hour
     * @param dueAge the time for which the row that is due longest waits for a replica
     * @param troubled the clusters that do not answer
     * @param failingRows the rows that loops could not work on
     * @param backupAge the age of the last backup, or of the installation if there is none; empty in an empty database
     */
    public record Overview(
            double latency,
            Map<Phase.State, Long> machines,
            Map<Phase, Double> queueAges,
            Map<Failure, Long> failures,
            double dueAge,
            Holds holds,
            long clusters,
            long troubled,
            Replicas replicas,
            long failingRows,
            Standbys standbys,
            Optional<Double> backupAge) {}

    public static Overview read(Sql sql) {
        long begin = System.nanoTime();
        sql.now();
        double latency = (System.nanoTime() - begin) / 1e9;
        List<ClusterRows.Stored> clusters = ClusterRows.all(sql);
        return new Overview(
                latency,
                MachineRows.counts(sql),
                queueAges(sql),
                failures(sql),
                dueAge(sql),
                holds(sql),
                clusters.size(),
                clusters.stream()
                        .filter(cluster -> cluster.isAway() || cluster.trouble().isPresent())
                        .count(),
                replicas(sql),
                RowFailures.count(sql),
                standbys(sql),
                backupAge(sql));
    }

    private static Map<Phase, Double> queueAges(Sql sql) {
        return sql
                .map(
                        "SELECT phase, extract(epoch FROM (SELECT outpost_now()) - min(created_at))::float8 AS age FROM machines"
                                + " WHERE " + MachineRows.QUEUED + " GROUP BY phase",
                        String.class,
                        Double.class)
                .entrySet()
                .stream()
                .collect(Collectors.toMap(waiting -> Phase.valueOf(waiting.getKey()), Map.Entry::getValue));
    }

    private static Map<Failure, Long> failures(Sql sql) {
        String reasons = FAILURES.stream().map(EndReason::name).collect(Collectors.joining("', '", "'", "'"));
        return sql
                .query(
                        "SELECT end_reason, EXISTS (SELECT 1 FROM usages u WHERE u.machine = m.id) AS was_ready,"
                                + " count(*) AS machines FROM machines m WHERE phase = 'ENDED'"
                                + " AND since > (SELECT outpost_now()) - interval '1 hour' AND end_reason IN ("
                                + reasons
                                + ") GROUP BY 1, 2",
                        row -> Map.entry(
                                new Failure(
                                        EndReason.valueOf(row.text("end_reason")),
                                        row.flag("was_ready") ? Stage.USE : Stage.START),
                                row.number("machines")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static double dueAge(Sql sql) {
        return number(
                        sql,
                        "SELECT extract(epoch FROM (SELECT outpost_now()) - min(due_at))::float8 AS value FROM machines"
                                + " WHERE due_at <= (SELECT outpost_now())"
                                + " AND (lock_until IS NULL OR lock_until <= (SELECT outpost_now()))")
                .orElse(0.0);
    }

    private static Holds holds(Sql sql) {
        return sql.query(
                        "SELECT count(*) AS live, count(*) FILTER (WHERE hold_until <= (SELECT outpost_now())) AS overdue"
                                + " FROM machines WHERE hold_until IS NOT NULL AND phase NOT IN ('ENDING', 'ENDED')",
                        row -> new Holds(row.number("live"), row.number("overdue")))
                .getFirst();
    }

    private static Replicas replicas(Sql sql) {
        return sql.query(
                        "SELECT (SELECT coalesce(sum(wanted), 0) FROM deployments WHERE NOT removed) AS wanted,"
                                + " (SELECT count(DISTINCT g.machine) FROM gateway_replicas g JOIN replicas r"
                                + " ON r.machine = g.machine WHERE g.state = 'SERVING' AND r.draining_since IS NULL"
                                + " AND g.reported_at > (SELECT outpost_now()) - interval '1 minute') AS serving",
                        row -> new Replicas(row.number("wanted"), row.number("serving")))
                .getFirst();
    }

    /** PostgreSQL shows the lag to members of {@code pg_monitor} only, and no lag of a standby that has nothing to catch up. */
    private static Standbys standbys(Sql sql) {
        return new Standbys(
                sql.one("SELECT count(*) AS standbys FROM pg_stat_replication", Long.class)
                        .orElseThrow(),
                number(
                        sql,
                        "SELECT CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE')"
                                + " THEN coalesce(max(extract(epoch FROM replay_lag)), 0)::float8 END AS value"
                                + " FROM pg_stat_replication"));
    }

    private static Optional<Double> backupAge(Sql sql) {
        return number(
                sql,
                "SELECT extract(epoch FROM (SELECT outpost_now())"
                        + " - coalesce(backup_at, (SELECT min(created_at) FROM organisations)))::float8 AS value FROM installation");
    }

    /** Records that a backup is complete. */
    public static void noteBackup(Sql sql) {
        sql.update("UPDATE installation SET backup_at = outpost_now()");
    }

    private static Optional<Double> number(Sql sql, String statement) {
        return sql.query(statement, row -> Optional.ofNullable(row.object("value", Double.class)))
                .getFirst();
    }
}
