package dev.outpost.backend.fleet.cluster;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Adopts machines of a cluster that have no row, after the restore of a backup that is older than these machines. Their labels name their
 * owners. Machines of pools are not adopted, so they end, because one may have been claimed, and a machine is never given to another
 * tenant. Adopted machines enforce the time limits of their start by themselves.
 */
public final class Adoption {
    private static final Logger LOG = Logger.getLogger(Adoption.class);
    private static final Set<MachinePhase> OVER =
            EnumSet.of(MachinePhase.ENDING, MachinePhase.ENDED, MachinePhase.GONE);

    private final Database database;
    private final Machines machines;

    Adoption(Database database, Machines machines) {
        this.database = database;
        this.machines = machines;
    }

    /** @param list all machines of the cluster, read after the observation began */
    void adopt(ClusterRows.Stored cluster, ClusterRows.Look look, List<MachineObservation> list) {
        database.run(sql -> {
            list.forEach(observation -> adopt(sql, cluster, observation));
            ClusterRows.adopted(sql, cluster.name(), look);
        });
    }

    private void adopt(Sql sql, ClusterRows.Stored cluster, MachineObservation observation) {
        Optional<UUID> id = id(observation);
        Optional<Request> request = request(observation);
        boolean isOurs = id.isPresent()
                && request.isPresent()
                && !OVER.contains(observation.state())
                && TenantRows.project(
                                sql, request.get().organisation(), request.get().project())
                        .isPresent()
                && MachineRows.findSupplied(sql, id.get()).isEmpty();
        if (isOurs) {
            Machine found = Machine.found(id.get(), observation.machine().epoch(), request.get(), sql.now());
            machines.create(sql, found);
            machines.apply(sql, found, new Observation.Placed(cluster.name()));
            LOG.infof(
                    "%s was found on cluster %s, and is machine %s again",
                    observation.machine(), cluster.name(), found.id());
        }
    }

    private static Optional<UUID> id(MachineObservation observation) {
        try {
            return Optional.of(UUID.fromString(observation.machine().id()));
        } catch (IllegalArgumentException ignored) {
            return Optional.empty();
        }
    }

    private static Optional<Request> request(MachineObservation observation) {
        Map<String, String> labels = observation.labels();
        boolean isWhole = labels.keySet().containsAll(Set.of("organisation", "project", "owner"))
                && !labels.get("organisation").equals(Pool.ORGANISATION);
        return isWhole
                ? Optional.of(new Request(
                        labels.get("organisation"),
                        labels.get("project"),
                        labels.get("owner"),
                        observation.gpu(),
                        1,
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()))
                : Optional.empty();
    }
}
