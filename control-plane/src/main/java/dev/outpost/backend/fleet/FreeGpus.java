package dev.outpost.backend.fleet;

import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.Database;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.GpuAvailability;
import java.util.Optional;

/** Asks clusters for free GPUs, without starting a machine. Calls block until the cluster has answered. Thread-safe. */
public final class FreeGpus {
    private final Database database;
    private final Suppliers suppliers;

    public FreeGpus(Database database, Suppliers suppliers) {
        this.database = database;
        this.suppliers = suppliers;
    }

    /**
     * Whether one more machine would get its GPU on a cluster. A cluster that does not answer, or refuses such a machine, has none,
     * and its reason is the text. Empty where the cluster can tell only by a start.
     */
    public Optional<GpuAvailability> on(String cluster, GpuType gpu) {
        try {
            return database.transact(sql -> ClusterRows.find(sql, cluster))
                    .map(suppliers::fleet)
                    .flatMap(fleet -> fleet.availability(gpu));
        } catch (FleetException silent) {
            return none("cluster " + cluster + " does not tell whether a GPU is free (" + silent.getMessage() + ")");
        } catch (IllegalArgumentException refused) {
            return none("cluster " + cluster + ": " + refused.getMessage());
        }
    }

    private static Optional<GpuAvailability> none(String why) {
        return Optional.of(new GpuAvailability(false, why));
    }
}
