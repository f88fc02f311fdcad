package dev.outpost.backend.store.deployment;

import dev.outpost.backend.model.deployment.Replica;
import dev.outpost.backend.model.deployment.Replica.Use;
import dev.outpost.backend.store.Retention;
import dev.outpost.backend.store.deployment.DeploymentRows.Key;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.machine.Phase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** The tables of replicas, and of the reports of gateways about them. */
public final class ReplicaRows {
    private ReplicaRows() {}

    private record Reported(UUID machine, Use use) {}

    public static List<Replica> of(Sql sql, Key key) {
        Map<UUID, List<Use>> uses = sql
                .query(
                        "SELECT g.* FROM gateway_replicas g JOIN replicas r ON r.machine = g.machine"
                                + " WHERE r.organisation = ? AND r.name = ? ORDER BY g.gateway",
                        Reported.class,
                        key)
                .stream()
                .collect(Collectors.groupingBy(
                        Reported::machine, Collectors.mapping(Reported::use, Collectors.toList())));
        return sql.query(
                "SELECT r.*, m.phase, m.text FROM replicas r JOIN machines m ON m.id = r.machine"
                        + " WHERE r.organisation = ? AND r.name = ? ORDER BY m.created_at, m.id",
                row -> read(row, uses),
                key);
    }

    /** The description of a replica for gateways. */
    public record Ordered(
            UUID machine, int revision, String model, Optional<String> dtype, Phase phase, boolean isDraining) {}

    private record Named(String name, Ordered replica) {}

    /** Returns the replicas of an organisation whose machines have not ended, by the names of their deployments. */
    public static Map<String, List<Ordered>> ordered(Sql sql, String organisation) {
        return sql
                .query(
                        "SELECT r.name, r.machine, r.revision, r.draining_since IS NOT NULL AS draining, m.phase, v.model, v.dtype FROM replicas r"
                                + " JOIN machines m ON m.id = r.machine JOIN deployment_revisions v"
                                + " ON v.organisation = r.organisation AND v.name = r.name AND v.number = r.revision"
                                + " WHERE r.organisation = ? AND m.phase <> 'ENDED' ORDER BY m.created_at, m.id",
                        Named.class,
                        organisation)
                .stream()
                .collect(Collectors.groupingBy(Named::name, Collectors.mapping(Named::replica, Collectors.toList())));
    }

    public static void insert(Sql sql, Key key, UUID machine, int revision) {
        sql.update(
                "INSERT INTO replicas (machine, organisation, name, revision) VALUES (?, ?, ?, ?)",
                machine,
                key,
                revision);
    }

    /** Drains replicas, so that they get no new requests from now on. */
    public static void drain(Sql sql, List<UUID> machines, Instant now) {
        if (!machines.isEmpty()) {
            sql.update(
                    "UPDATE replicas SET draining_since = ? WHERE machine = ANY (?) AND draining_since IS NULL",
                    now,
                    machines);
        }
    }

    public static void prove(Sql sql, List<UUID> machines) {
        if (!machines.isEmpty()) {
            sql.update("UPDATE replicas SET served = true WHERE machine = ANY (?)", machines);
        }
    }

    public static void forget(Sql sql, List<UUID> machines) {
        if (!machines.isEmpty()) {
            sql.update("DELETE FROM replicas WHERE machine = ANY (?)", machines);
        }
    }

    // ---- gateways

    /** Stores the report of a gateway about a replica. Does nothing if the replica does not exist any more. */
    public static void report(Sql sql, UUID machine, Use use) {
        sql.update(
                "INSERT INTO gateway_replicas (machine, gateway, state, requests, cache_use, text, reported_at)"
                        + " SELECT ?, ?, ?, ?, ?, ?, ? FROM replicas WHERE machine = ?"
                        + " ON CONFLICT (machine, gateway) DO UPDATE SET state = excluded.state, requests = excluded.requests,"
                        + " cache_use = excluded.cache_use, text = excluded.text, reported_at = excluded.reported_at",
                machine,
                use,
                machine);
    }

    public static void demand(Sql sql, Key key, String gateway, int held, Instant now) {
        sql.update(
                "INSERT INTO gateway_demands (organisation, name, gateway, held, reported_at) VALUES (?, ?, ?, ?, ?)"
                        + " ON CONFLICT (organisation, name, gateway) DO UPDATE SET held = excluded.held,"
                        + " reported_at = excluded.reported_at",
                key,
                gateway,
                held,
                now);
    }

    /** Returns the number of requests that wait at gateways that have reported after {@code since}. */
    public static int held(Sql sql, Key key, Instant since) {
        return sql.one(
                        "SELECT least(coalesce(sum(held), 0), 2147483647)::int AS held FROM gateway_demands"
                                + " WHERE organisation = ? AND name = ? AND reported_at >= ?",
                        Integer.class,
                        key,
                        since)
                .orElse(0);
    }

    /** Removes the reports of gateways that were silent for long. */
    public static Retention.Step forgetGateways(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "gateway_demands", "true", "reported_at", span);
    }

    private static Replica read(Sql.Row row, Map<UUID, List<Use>> uses) throws SQLException {
        UUID machine = row.object("machine", UUID.class);
        return new Replica(
                machine,
                row.integer("revision"),
                Phase.valueOf(row.text("phase")),
                row.text("text"),
                row.flag("served"),
                row.optionalTime("draining_since"),
                uses.getOrDefault(machine, List.of()));
    }
}
