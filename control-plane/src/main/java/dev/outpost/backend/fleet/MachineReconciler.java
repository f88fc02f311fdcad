package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.CallCounts.Outcome;
import dev.outpost.backend.fleet.cluster.Descriptions;
import dev.outpost.backend.fleet.cluster.Observations;
import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.model.Command;
import dev.outpost.backend.model.LifeSettings;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.NextDueTime;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Transition;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.channel.DebugLog;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Carries out the commands of rows at their clusters. It claims a row with a token that expires, calls the cluster outside of any
 * transaction, and writes the answer only if the row still has the token. So a replica that is killed or delayed between a commit and a
 * call loses nothing. The row becomes due again, and every call can be repeated.
 */
public final class MachineReconciler {
    private static final Logger LOG = Logger.getLogger(MachineReconciler.class);
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final Database database;
    private final RowWork rows;
    private final Machines machines;
    private final LifeSettings settings;
    private final Suppliers suppliers;
    private final GpuCatalogue catalogue;
    private final MachineManager manager;
    private final CallCounts counts;
    private final Duration lock;
    private final MachineSpans spans;
    private final RunnerKeys runners;

    /** @param lock the time for which a row is claimed; longer than a call takes */
    public MachineReconciler(
            Database database,
            Machines machines,
            LifeSettings settings,
            Suppliers suppliers,
            GpuCatalogue catalogue,
            MachineManager manager,
            CallCounts counts,
            Duration lock,
            MachineSpans spans,
            RunnerKeys runners) {
        this.database = database;
        this.rows = new RowWork(database, "driver");
        this.machines = machines;
        this.settings = settings;
        this.suppliers = suppliers;
        this.catalogue = catalogue;
        this.manager = manager;
        this.counts = counts;
        this.lock = lock;
        this.spans = spans;
        this.runners = runners;
    }

    /** Claims up to {@code atMax} rows that are due. The caller passes them to {@link #work}. */
    public List<Claim> claim(int atMax) {
        return claim(atMax, List.of());
    }

    /** @param busy clusters that have enough running calls; their machines wait */
    public List<Claim> claim(int atMax, List<String> busy) {
        UUID token = UUID.randomUUID();
        return database.transact(sql -> MachineRows.claim(sql, token, lock, atMax, busy)).stream()
                .map(row -> new Claim(row.id(), row.cluster(), token))
                .toList();
    }

    /** A claimed row, the cluster of its machine, and the token on the row. */
    public record Claim(UUID machine, Optional<String> cluster, UUID token) {}

    /**
     * Does the due work of one row, and releases the row. A failing row is retried after a pause that grows each
     * time.
     */
    public void work(Claim claim) {
        rows.attempt(() -> Optional.of(claim.machine().toString()), () -> done(claim), pause -> leave(claim, pause));
    }

    private boolean leave(Claim claim, Duration pause) {
        database.run(sql -> MachineRows.pause(sql, claim.machine(), claim.token(), pause));
        return false;
    }

    private boolean done(Claim claim) {
        Optional<Transition> next = database.transact(sql -> MachineRows.lock(sql, claim.machine(), claim.token())
                .map(row -> machines.apply(sql, row, new Observation.Tick())));
        next.ifPresent(transition -> finish(claim, transition));
        return next.isPresent();
    }

    private void finish(Claim claim, Transition transition) {
        Answer answer = transition
                .command()
                .map(command -> spans.in(database, command, transition.row(), () -> ask(command, transition.row())))
                .orElse(Answer.NOTHING);
        database.run(sql ->
                MachineRows.lock(sql, claim.machine(), claim.token()).ifPresent(row -> take(sql, claim, row, answer)));
    }

    /** The answer of a cluster, and the grants that were sent to the machine. */
    private record Answer(Optional<Observation> seen, List<GrantRows.Stored> told) {
        static final Answer NOTHING = new Answer(Optional.empty(), List.of());

        static Answer of(Observation observation) {
            return new Answer(Optional.of(observation), List.of());
        }

        boolean isRefusal() {
            return seen.filter(Observation.Refused.class::isInstance).isPresent();
        }
    }

    private void take(Sql sql, Claim claim, Machine locked, Answer answer) {
        GrantRows.markTold(sql, answer.told());
        Instant now = sql.now();
        Machine row = answer.seen()
                .filter(observation ->
                        !(observation instanceof Observation.Bound) || !GrantRows.hasUntold(sql, claim.machine()))
                .map(observation ->
                        machines.apply(sql, locked, observation, now).row())
                .orElse(locked);
        Optional<Instant> due =
                NextDueTime.at(row, settings, now).map(time -> notBefore(time, now.plus(AGAIN), row, locked));
        MachineRows.release(sql, claim.machine(), claim.token(), row.version(), due);
    }

    /** Returns the earliest time of the next call: a call is not repeated immediately, unless its answer changed the phase. */
    private static Instant notBefore(Instant due, Instant again, Machine row, Machine before) {
        return row.phase() == before.phase() && due.isBefore(again) ? again : due;
    }

    // ---- calls, outside of transactions

    private Answer ask(Command command, Machine row) {
        DebugLog.MACHINE.print("backend: machine %s is %s, the cluster gets %s", row.id(), row.phase(), command);
        try {
            MachineFleet fleet = suppliers.fleet(cluster(row));
            Answer answer = switch (command) {
                case ENSURE -> ensure(fleet, row);
                case BIND -> bind(fleet, row);
                case END -> end(fleet, row);
            };
            counts.count(command, answer.isRefusal() ? Outcome.REFUSED : Outcome.DONE);
            return answer;
        } catch (FleetException failure) {
            return failed(command, row, failure);
        }
    }

    private ClusterRows.Stored cluster(Machine row) {
        String name = row.cluster().orElseThrow();
        return database.transact(sql -> ClusterRows.find(sql, name)).orElseThrow();
    }

    private Answer ensure(MachineFleet fleet, Machine row) {
        List<GrantRows.Stored> grants = database.transact(sql -> GrantRows.of(sql, row.id()));
        Optional<JobRun> job = database.transact(sql -> JobRows.hasJob(sql, row.id()))
                ? Optional.of(runners.of(row.id()))
                : Optional.empty();
        try {
            return Answer.of(
                    Observations.of(fleet.ensure(Descriptions.of(row, grants, manager.grant(row), catalogue, job))));
        } catch (IllegalArgumentException failure) {
            return Answer.of(new Observation.Refused(row.epoch(), failure.getMessage()));
        }
    }

    private Answer bind(MachineFleet fleet, Machine row) {
        List<GrantRows.Stored> due = database.transact(sql -> GrantRows.of(sql, row.id())).stream()
                .filter(grant -> !grant.told())
                .toList();
        due.forEach(grant -> applyGrant(fleet, row, grant));
        manager.mount(row);
        manager.applyGrants(row, due);
        return new Answer(Optional.of(new Observation.Bound(row.epoch())), due);
    }

    private static void applyGrant(MachineFleet fleet, Machine row, GrantRows.Stored grant) {
        if (grant.revoked().isPresent()) {
            fleet.revoke(Descriptions.ref(row), grant.sha256());
        } else {
            fleet.bind(Descriptions.ref(row), Descriptions.grant(grant));
        }
    }

    private static Answer end(MachineFleet fleet, Machine row) {
        fleet.end(Descriptions.ref(row));
        return Answer.NOTHING;
    }

    private Answer failed(Command command, Machine row, FleetException failed) {
        boolean isRefusal = command == Command.ENSURE && failed.kind() == FleetException.Kind.REFUSED;
        counts.count(command, isRefusal ? Outcome.REFUSED : Outcome.FAILED);
        if (isRefusal) {
            return Answer.of(new Observation.Refused(row.epoch(), failed.getMessage()));
        }
        LOG.debugf("machine %s: %s is asked again: %s", row.id(), command, failed.getMessage());
        return Answer.NOTHING;
    }
}
