package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.model.deployment.Replica;
import dev.outpost.backend.model.deployment.Rollout;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.DeploymentRows.Key;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Carries out the plans of {@link Rollout}. A step is one transaction that only changes rows. Replicas are ordinary machines, which the
 * driver requests from clusters.
 */
public final class Deployments {
    /** The time after which a replica without a gateway ends. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofSeconds(10);

    private final RowWork rows;
    private final Machines machines;
    private final Wakeups wakeups;
    private final MachineStarts starts;

    /** The time of the first step. Since then this process has received reports of gateways. */
    private final AtomicReference<Instant> heardSince = new AtomicReference<>();

    public Deployments(Database database, Machines machines, Wakeups wakeups, Budgets budgets) {
        this.rows = new RowWork(database, DeploymentRows.LOOP);
        this.machines = machines;
        this.wakeups = wakeups;
        this.starts = new MachineStarts(machines, budgets);
    }

    /** Runs the steps of all due deployments, one after the other. */
    public void round() {
        rows.drain(
                DeploymentRows::lockDue,
                Key::text,
                (sql, key) -> step(sql, DeploymentRows.find(sql, key).orElseThrow()));
    }

    /** Runs one step of a deployment that this transaction has locked, and returns the new row. */
    public Deployment step(Sql sql, Deployment row) {
        Key key = new Key(row.organisation(), row.name());
        Instant now = sql.now();
        List<Replica> replicas = ReplicaRows.of(sql, key);
        heardSince.compareAndSet(null, now);
        int held = ReplicaRows.held(sql, key, now.minus(Rollout.SILENCE));
        Rollout.Plan plan = Rollout.plan(row, replicas, held, heardSince.get(), now);
        Deployment next = plan.row();
        plan.failure().ifPresent(why -> DeploymentRows.failRevision(sql, key, row.revision(), why));
        ReplicaRows.prove(sql, plan.proven());
        ReplicaRows.drain(sql, plan.drain(), now);
        ReplicaRows.drain(sql, plan.end(), now);
        plan.end().forEach(machine -> machines.apply(sql, machine, new Observation.EndAsked(endText(row))));
        ReplicaRows.forget(sql, plan.forget());
        if (plan.start() > 0) {
            next = start(sql, key, next, plan.start()).map(next::saying).orElse(next);
        }
        if (next.isRemoved() && replicas.size() == plan.forget().size()) {
            DeploymentRows.delete(sql, key);
        } else {
            DeploymentRows.update(sql, next, now.plus(isQuiet(next, replicas) ? LATER : SOON));
        }
        if (plan.start() > 0 || !plan.end().isEmpty()) {
            wakeups.admission();
            wakeups.driver();
        }
        return next;
    }

    private static String endText(Deployment row) {
        return Replica.OWNER + row.name() + " does not need it any more";
    }

    private static boolean isQuiet(Deployment row, List<Replica> replicas) {
        return replicas.size() == row.wanted()
                && replicas.stream().allMatch(one -> one.hasServed() && !one.isDraining())
                && row.lowSince().isEmpty();
    }

    /** Starts replicas. Returns the reason if fewer replicas start than requested. */
    private Optional<String> start(Sql sql, Key key, Deployment row, int count) {
        DeploymentRows.Revision revision = DeploymentRows.revision(sql, key, row.revision())
                .orElseThrow(() -> new IllegalStateException(
                        "deployment " + key + " has no revision " + row.revision() + ", which it goes by"));
        Request request = new Request(
                row.organisation(),
                row.project(),
                Replica.OWNER + row.name(),
                revision.gpu(),
                1,
                1,
                Optional.empty(),
                Optional.of(LEASE),
                Optional.empty());
        for (int i = 0; i < count; i++) {
            UUID id = UUID.randomUUID();
            Optional<String> refused = starts.start(sql, id, request, revision.createdBy());
            if (refused.isPresent()) {
                return refused;
            }
            ReplicaRows.insert(sql, key, id, revision.number());
        }
        return Optional.empty();
    }
}
