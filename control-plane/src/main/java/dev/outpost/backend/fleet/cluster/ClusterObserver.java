package dev.outpost.backend.fleet.cluster;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.rest.cluster.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Compares the machines of a cluster with the rows, in both directions. Only differences need a transaction. */
public final class ClusterObserver {
    private static final Logger LOG = Logger.getLogger(ClusterObserver.class);

    private final Database database;
    private final RowWork rows;
    private final Machines machines;
    private final Suppliers suppliers;
    private final Duration orphanGrace;
    private final Adoption adoption;

    /** @param orphanGrace the age at which a machine without a row is ended */
    public ClusterObserver(Database database, Machines machines, Suppliers suppliers, Duration orphanGrace) {
        this.database = database;
        this.rows = new RowWork(database, "observer");
        this.machines = machines;
        this.suppliers = suppliers;
        this.orphanGrace = orphanGrace;
        this.adoption = new Adoption(database, machines);
    }

    /**
     * The rows of a cluster, read before the list of its machines. So if a row has not changed since and the list
     * lacks its machine, the machine is missing.
     */
    private record Snapshot(ClusterRows.Look look, MachineRows.OfCluster machines) {
        List<Machine> rows() {
            return machines.rows();
        }

        /** True if the machine's row cannot be read. Then the machine is not touched. */
        boolean isUnreadable(MachineObservation observation) {
            return machines.unreadable().containsKey(observation.machine().id());
        }

        Instant now() {
            return look.at();
        }
    }

    private static Optional<Snapshot> snapshot(Sql sql, String cluster) {
        return ClusterRows.beginLook(sql, cluster).map(look -> new Snapshot(look, MachineRows.ofCluster(sql, cluster)));
    }

    /** Lists the whole cluster once. Records the reason if that fails. Then no machine counts as missing. */
    public void observe(ClusterRows.Stored cluster) {
        database.transact(sql -> snapshot(sql, cluster.name())).ifPresent(before -> observe(cluster, before));
    }

    private void observe(ClusterRows.Stored cluster, Snapshot before) {
        try {
            MachineFleet fleet = suppliers.fleet(cluster);
            List<MachineObservation> list = fleet.list();
            report(before.machines().unreadable());
            compare(cluster, before, list);
            if (before.look().isAdopting()) {
                adoption.adopt(cluster, before.look(), list);
            }
            endOrphans(cluster, fleet, before, list);
            database.run(sql -> ClusterRows.observed(sql, cluster.name(), before.now()));
        } catch (FleetException failure) {
            noteTrouble(cluster, failure.getMessage());
        }
    }

    private void noteTrouble(ClusterRows.Stored cluster, String trouble) {
        if (cluster.trouble().filter(trouble::equals).isEmpty()) {
            LOG.warnf("cluster %s: %s", cluster.name(), trouble);
        }
        database.run(sql -> ClusterRows.unobserved(sql, cluster.name(), trouble));
    }

    /** Applies one observation of a watch. */
    public void take(MachineObservation observation) {
        UUID id;
        try {
            id = UUID.fromString(observation.machine().id());
        } catch (IllegalArgumentException ignored) {
            return;
        }
        database.run(sql -> MachineRows.findSupplied(sql, id)
                .filter(row -> machines.wouldMatter(row, Observations.of(observation), sql.now()))
                .ifPresent(row -> machines.apply(
                        sql,
                        row.id(),
                        beginLook(sql, row)
                                .map(look -> Observations.of(observation, look))
                                .orElse(Observations.of(observation)))));
    }

    private static Optional<ClusterRows.Look> beginLook(Sql sql, Machine row) {
        return row.cluster().flatMap(name -> ClusterRows.beginLook(sql, name));
    }

    private void compare(ClusterRows.Stored cluster, Snapshot before, List<MachineObservation> list) {
        Map<MachineRef, MachineObservation> byRef = list.stream()
                .collect(Collectors.toMap(MachineObservation::machine, Function.identity(), (first, other) -> first));
        rows.each(before.rows(), row -> row.id().toString(), row -> {
            Observation observation = Optional.ofNullable(byRef.get(Descriptions.ref(row)))
                    .map(found -> Observations.of(found, before.look()))
                    .orElseGet(() ->
                            new Observation.Missing(row.epoch(), before.look().last()));
            takeUnlessChanged(row, observation, before.now());
            if (cluster.state() == ClusterState.DRAINING) {
                takeUnlessChanged(
                        row, new Observation.EndAsked("its cluster " + cluster.name() + " is drained"), before.now());
            }
        });
    }

    private void report(Map<String, RuntimeException> unreadable) {
        rows.each(unreadable.keySet(), name -> name, name -> {
            throw unreadable.get(name);
        });
    }

    private void takeUnlessChanged(Machine row, Observation observation, Instant now) {
        if (!machines.wouldMatter(row, observation, now)) {
            return;
        }
        database.run(sql -> MachineRows.lock(sql, row.id())
                .filter(locked -> locked.version() == row.version())
                .ifPresent(locked -> machines.apply(sql, locked, observation)));
    }

    private void endOrphans(
            ClusterRows.Stored cluster, MachineFleet fleet, Snapshot before, List<MachineObservation> list) {
        Set<MachineRef> live = before.rows().stream().map(Descriptions::ref).collect(Collectors.toSet());
        list.stream()
                .filter(observation -> !live.contains(observation.machine()) && !before.isUnreadable(observation))
                .filter(observation -> observation.state() != MachinePhase.ENDING)
                .filter(observation -> isOrphan(cluster, before, observation))
                .forEach(observation -> end(fleet, observation));
    }

    /**
     * True if no row belongs to the machine. A row is written before its machine starts, so a machine without a row is an orphan. A machine
     * whose row has ended is an orphan, too. If adoption was requested since the observation began, adoption handles machines without rows.
     */
    private boolean isOrphan(ClusterRows.Stored cluster, Snapshot before, MachineObservation observation) {
        return database.transact(sql -> {
            Optional<Machine> row = rowOf(sql, observation.machine());
            boolean isLive = row.filter(known -> known.phase().isPlaced()
                            && known.epoch() == observation.machine().epoch())
                    .isPresent();
            return !isLive && (row.isPresent() || isOld(before, observation) && !isAdoptedLater(sql, cluster, before));
        });
    }

    private boolean isOld(Snapshot before, MachineObservation observation) {
        return Duration.between(observation.created(), before.now()).compareTo(orphanGrace) > 0;
    }

    private static boolean isAdoptedLater(Sql sql, ClusterRows.Stored cluster, Snapshot before) {
        return ClusterRows.beginLook(sql, cluster.name())
                .filter(now -> now.adoption() != before.look().adoption())
                .isPresent();
    }

    private static Optional<Machine> rowOf(Sql sql, MachineRef ref) {
        try {
            UUID id = UUID.fromString(ref.id());
            return MachineRows.findSupplied(sql, id);
        } catch (IllegalArgumentException ignored) {
            return Optional.empty();
        }
    }

    private static void end(MachineFleet fleet, MachineObservation observation) {
        LOG.infof("%s has no row, or none that is live: it is ended", observation.machine());
        fleet.end(observation.machine());
    }
}
