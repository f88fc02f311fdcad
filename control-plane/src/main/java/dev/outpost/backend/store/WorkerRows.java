package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.JsonColumns;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.channel.Trust;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The tables of worker hosts, of their desired machines, and of their reports. */
public final class WorkerRows {
    private WorkerRows() {}

    /**
     * A worker host.
     *
     * @param codeHash the hash of its pairing code, until the code is used or expired
     * @param keyHash the hash of the key that it drew at pairing
     * @param heard the time of its last report
     */
    public record Host(
            String cluster,
            Optional<byte[]> codeHash,
            Optional<Instant> codeUntil,
            Optional<byte[]> keyHash,
            Optional<String> host,
            Optional<Instant> heard) {}

    /** An order to run a machine on a worker host, or to end it there. */
    public record Wanted(
            MachineRef machine,
            String installation,
            String gpu,
            int gpus,
            MachineBounds bounds,
            Map<String, String> labels,
            Map<String, String> options,
            List<String> grants,
            List<String> revoked,
            boolean isEnding,
            long version,
            Instant created,
            Instant changed,
            Optional<Said> said,
            long applied,
            boolean hasJob) {

        public Wanted withLabels(Map<String, String> others) {
            return new Wanted(
                    machine,
                    installation,
                    gpu,
                    gpus,
                    bounds,
                    others,
                    options,
                    grants,
                    revoked,
                    isEnding,
                    version,
                    created,
                    changed,
                    said,
                    applied,
                    hasJob);
        }
    }

    /** The report of a worker host about a machine. */
    public record Said(
            MachinePhase state,
            String reason,
            Optional<EndCause> endCause,
            Optional<MachineAddress> address,
            Instant since) {

        /** Rounds times to the precision of the database, so that a repeated report is equal. */
        public Said {
            since = since.truncatedTo(ChronoUnit.MICROS);
        }
    }

    // ---- hosts

    public static Optional<Host> host(Sql sql, String cluster) {
        return sql.one("SELECT * FROM workers WHERE cluster = ?", Host.class, cluster);
    }

    /** Sets a code by which a host can be paired once. A paired host stays paired until the code is used. */
    public static void offer(Sql sql, String cluster, byte[] codeHash, Duration time) {
        sql.update(
                "INSERT INTO workers (cluster, code_hash, code_until)"
                        + " VALUES (?, ?, outpost_now() + ? * interval '1 millisecond')"
                        + " ON CONFLICT (cluster) DO UPDATE SET code_hash = excluded.code_hash, code_until = excluded.code_until",
                cluster,
                codeHash,
                time);
    }

    /** Consumes the pairing code. Returns false if the code is wrong, used or expired. */
    public static boolean pair(Sql sql, String cluster, byte[] codeHash, byte[] keyHash) {
        return sql.update(
                        "UPDATE workers SET code_hash = NULL, code_until = NULL, key_hash = ?, paired_at = outpost_now()"
                                + " WHERE cluster = ? AND code_hash = ? AND code_until > outpost_now()",
                        keyHash,
                        cluster,
                        codeHash)
                == 1;
    }

    /** Records that the host has reported. */
    public static void hear(Sql sql, String cluster, String host, String version) {
        sql.update(
                "UPDATE workers SET heard_at = outpost_now(), host = ?, version = ? WHERE cluster = ?",
                host,
                version,
                cluster);
    }

    // ---- desired machines

    /** Adds an order for a machine. Returns false if the name is taken. */
    public static boolean add(Sql sql, String cluster, String installation, DesiredMachine machine) {
        return sql.insert(
                        "worker_machines",
                        Columns.of(machine.machine(), "id, epoch")
                                .and(machine.bounds(), "lease, idle, life")
                                .and("memory", machine.bounds().memoryBytes())
                                .and("cluster", cluster)
                                .and("installation", installation)
                                .and("gpu", machine.gpu().name())
                                .and("gpus", machine.gpuCount())
                                .and("labels", machine.labels())
                                .and("options", machine.options())
                                .and(
                                        "grants",
                                        machine.grants().stream()
                                                .map(grant -> grant.line())
                                                .toList())
                                .and("has_job", machine.job().isPresent()),
                        "ON CONFLICT (cluster, id, epoch) DO NOTHING")
                == 1;
    }

    public static List<Wanted> all(Sql sql, String cluster) {
        return sql.query(
                "SELECT * FROM worker_machines WHERE cluster = ? ORDER BY created_at, id, epoch",
                WorkerRows::readWanted,
                cluster);
    }

    public static Optional<Wanted> find(Sql sql, String cluster, MachineRef machine) {
        return sql.one(
                "SELECT * FROM worker_machines WHERE cluster = ? AND id = ? AND epoch = ?",
                WorkerRows::readWanted,
                cluster,
                machine);
    }

    public static Optional<Wanted> lock(Sql sql, String cluster, MachineRef machine) {
        return sql.one(
                "SELECT * FROM worker_machines WHERE cluster = ? AND id = ? AND epoch = ? FOR UPDATE",
                WorkerRows::readWanted,
                cluster,
                machine);
    }

    /** Returns the version of the last change to a host's desired machines; 0 if the host has no desired machines. */
    public static long version(Sql sql, String cluster) {
        return sql.one(
                        "SELECT coalesce(max(version), 0) AS version FROM worker_machines WHERE cluster = ?",
                        Long.class,
                        cluster)
                .orElseThrow();
    }

    /**
     * Records the newest version that a host has seen. If this version is newer than every version in the database, the database has lost
     * its last changes. Then the orders of the host get newer versions, and its cluster adopts machines without rows.
     *
     * @return true if changes were lost
     */
    public static boolean seen(Sql sql, String cluster, long version) {
        // No restore begins with such a version, so the host has sent a wrong version.
        boolean isKnown = sql.one(
                        "SELECT last_value >= ? OR ? > (extract(epoch FROM clock_timestamp()) + 86400) * 1000000 AS known"
                                + " FROM worker_versions",
                        Boolean.class,
                        version,
                        version)
                .orElseThrow();
        if (!isKnown) {
            sql.query(
                    "SELECT setval('worker_versions', greatest(last_value, ?)) FROM worker_versions",
                    row -> true,
                    version);
            sql.update("UPDATE worker_machines SET version = nextval('worker_versions') WHERE cluster = ?", cluster);
            ClusterRows.adopt(sql, cluster);
        }
        return !isKnown;
    }

    /**
     * Inserts a machine that a host has and the table lacks. The observer of the host's cluster adopts or ends the
     * machine. The host gets no order about it except to end it.
     *
     * @return false if a machine with this name exists
     */
    public static boolean find(
            Sql sql, String cluster, String installation, MachineRef machine, String gpu, Map<String, String> labels) {
        return sql.update(
                        "INSERT INTO worker_machines (cluster, id, epoch, installation, gpu, gpus, labels, options, grants,"
                                + " applied) VALUES (?, ?, ?, ?, ?, 1, ?::jsonb, '{}', '{}', 1)"
                                + " ON CONFLICT (cluster, id, epoch) DO NOTHING",
                        cluster,
                        machine,
                        installation,
                        gpu,
                        labels)
                == 1;
    }

    /** Writes the grants of a machine that this transaction has locked. */
    public static void setGrants(
            Sql sql, String cluster, MachineRef machine, List<String> grants, List<String> revoked) {
        sql.update(
                "UPDATE worker_machines SET grants = ?, revoked = ?, version = nextval('worker_versions'),"
                        + " changed_at = outpost_now() WHERE cluster = ? AND id = ? AND epoch = ?",
                grants,
                revoked,
                cluster,
                machine);
    }

    /** Orders the end of a machine. Returns false if the order does not exist, or already has an end. */
    public static boolean end(Sql sql, String cluster, String installation, MachineRef machine) {
        return sql.update(
                        "UPDATE worker_machines SET ending = true, version = nextval('worker_versions'),"
                                + " changed_at = outpost_now()"
                                + " WHERE cluster = ? AND installation = ? AND id = ? AND epoch = ? AND NOT ending",
                        cluster,
                        installation,
                        machine.id(),
                        machine.epoch())
                == 1;
    }

    // ---- reports of the host

    /** Writes the report of a host about a machine. Does nothing if the order does not exist any more. */
    public static void say(Sql sql, String cluster, MachineRef machine, long applied, Optional<Said> said) {
        sql.update(
                "UPDATE worker_machines SET applied = greatest(applied, ?), state = ?, reason = ?, end_cause = ?, host = ?,"
                        + " port = ?, certificate = ?, since = ? WHERE cluster = ? AND id = ? AND epoch = ?",
                applied,
                said.map(Said::state),
                said.map(Said::reason),
                said.flatMap(Said::endCause),
                said.flatMap(Said::address).map(MachineAddress::host),
                said.flatMap(Said::address).map(MachineAddress::port),
                said.flatMap(Said::address).map(address -> address.certificate().sha256()),
                said.map(Said::since),
                cluster,
                machine);
    }

    /** Removes the order of a machine. */
    public static void remove(Sql sql, String cluster, MachineRef machine) {
        sql.update("DELETE FROM worker_machines WHERE cluster = ? AND id = ? AND epoch = ?", cluster, machine);
    }

    /** Stores new lines of a machine's log, and skips stored ones. */
    public static void keepLines(Sql sql, String cluster, MachineRef machine, int first, List<String> lines) {
        sql.update(
                "INSERT INTO worker_logs (cluster, id, epoch, number, line) SELECT ?, ?, ?, ? + n::int - 1, line"
                        + " FROM unnest(?::text[]) WITH ORDINALITY AS l (line, n) ON CONFLICT DO NOTHING",
                cluster,
                machine,
                first,
                lines);
    }

    /** Returns the lines from a number on. */
    public static List<String> lines(Sql sql, String cluster, MachineRef machine, int from, int limit) {
        return sql.query(
                "SELECT line FROM worker_logs WHERE cluster = ? AND id = ? AND epoch = ? AND number >= ?"
                        + " ORDER BY number LIMIT ?",
                String.class,
                cluster,
                machine,
                from,
                limit);
    }

    private static Wanted readWanted(Sql.Row row) throws SQLException {
        return new Wanted(
                new MachineRef(row.text("id"), row.integer("epoch")),
                row.text("installation"),
                row.text("gpu"),
                row.integer("gpus"),
                bounds(row),
                JsonColumns.readTexts(row.text("labels")),
                JsonColumns.readTexts(row.text("options")),
                row.texts("grants"),
                row.texts("revoked"),
                row.flag("ending"),
                row.number("version"),
                row.time("created_at"),
                row.time("changed_at"),
                said(row),
                row.number("applied"),
                row.flag("has_job"));
    }

    private static MachineBounds bounds(Sql.Row row) throws SQLException {
        return new MachineBounds(
                row.optionalNumber("memory").map(OptionalLong::of).orElse(OptionalLong.empty()),
                row.optionalNumber("lease").map(Duration::ofMillis),
                row.optionalNumber("idle").map(Duration::ofMillis),
                row.optionalNumber("life").map(Duration::ofMillis));
    }

    private static Optional<Said> said(Sql.Row row) throws SQLException {
        Optional<String> state = row.optionalText("state");
        if (state.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> host = row.optionalText("host");
        int port = row.integer("port");
        String certificate = row.text("certificate");
        return Optional.of(new Said(
                MachinePhase.valueOf(state.get()),
                row.text("reason"),
                row.optionalText("end_cause").map(EndCause::valueOf),
                host.map(known -> new MachineAddress(known, port, new Trust.Pin(certificate))),
                row.time("since")));
    }
}
