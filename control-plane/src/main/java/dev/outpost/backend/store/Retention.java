package dev.outpost.backend.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Removes what is older than anybody asks for. */
public final class Retention {
    /** The tables that refer to machines, but for the ledger. Each row goes before its machine. */
    private static final List<String> OF_MACHINES = List.of(
            "machine_shares",
            "machine_secrets",
            "grant_reports",
            "grants",
            "machine_traces",
            "gateway_replicas",
            "replicas",
            "job_machines");

    /** Budgets and quotas of a month are counted from rows. */
    private static final Duration LEAST = Duration.ofDays(31);

    private Retention() {}

    /** @throws IllegalArgumentException where machines would be forgotten within the month that they count in */
    public static void requireLongEnough(Duration kept) {
        if (kept.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException(
                    "keep-usage: expected 31 days or more, since budgets and quotas of a month count"
                            + " what it keeps, got " + kept);
        }
    }

    /** Removes machines that ended before then, and acts of before then. Of the costs of these machines only sums are kept. */
    public static void forget(Sql sql, Instant before) {
        ForgottenCosts.removeUsages(sql, before);
        String over = "(SELECT id FROM machines WHERE phase = 'ENDED' AND since < ?)";
        OF_MACHINES.forEach(table -> sql.update("DELETE FROM " + table + " WHERE machine IN " + over, before));
        sql.update("UPDATE jobs SET machine = NULL WHERE machine IN " + over, before);
        sql.update("DELETE FROM events WHERE machine IN " + over, before);
        sql.update("DELETE FROM machines WHERE phase = 'ENDED' AND since < ?", before);
        sql.update("DELETE FROM audit WHERE at < ?", before);
    }
}
