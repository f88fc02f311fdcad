package dev.outpost.backend.fleet.cluster;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.provider.fleet.FleetException;
import io.smallrye.mutiny.Multi;

/** The logs of machines, from their clusters. */
public final class ClusterLogs {
    private final Database database;
    private final Suppliers suppliers;

    public ClusterLogs(Database database, Suppliers suppliers) {
        this.database = database;
        this.suppliers = suppliers;
    }

    /** @throws FleetException if the machine has no cluster yet, or its cluster cannot be reached */
    public Multi<String> of(Machine row, boolean follow) {
        String name = row.cluster()
                .orElseThrow(() -> new FleetException(
                        FleetException.Kind.NOT_FOUND,
                        "machine " + row.id() + ": it is on no cluster yet, and has no log"));
        ClusterRows.Stored cluster =
                database.transact(sql -> ClusterRows.find(sql, name)).orElseThrow();
        return suppliers.fleet(cluster).logs(Descriptions.ref(row), follow);
    }
}
