package dev.outpost.backend.store;

import java.time.Instant;
import java.util.List;

/** Removes what is older than anybody asks for. */
public final class Retention {
    /** What refers to machines, each before the machines themselves. */
    private static final List<String> OF_MACHINES = List.of(
            "usages",
            "machine_shares",
            "machine_secrets",
            "grant_reports",
            "grants",
            "machine_traces",
            "gateway_replicas",
            "replicas",
            "job_machines");

    private Retention() {}

    /** Removes machines that ended before then, with what they have cost, and acts of before then. */
    public static void forget(Sql sql, Instant before) {
        String over = "(SELECT id FROM machines WHERE phase = 'ENDED' AND since < ?)";
        OF_MACHINES.forEach(table -> sql.update("DELETE FROM " + table + " WHERE machine IN " + over, before));
        sql.update("UPDATE jobs SET machine = NULL WHERE machine IN " + over, before);
        sql.update("DELETE FROM events WHERE machine IN " + over, before);
        sql.update("DELETE FROM machines WHERE phase = 'ENDED' AND since < ?", before);
        sql.update("DELETE FROM audit WHERE at < ?", before);
    }
}
