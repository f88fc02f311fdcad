package dev.outpost.backend.worker;

import dev.outpost.backend.fleet.cluster.ClusterFleets;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.provider.fleet.MachineFleet;

/** The worker hosts as clusters. Each host is a cluster, with the name that it got when it was paired. */
public final class WorkerFleets implements ClusterFleets {
    /** The provider's name. */
    public static final String NAME = "worker";

    private final Database database;
    private final WorkerSignals signals;

    public WorkerFleets(Database database, WorkerSignals signals) {
        this.database = database;
        this.signals = signals;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public MachineFleet open(String installation, ClusterRows.Stored cluster) {
        if (!cluster.options().isEmpty()) {
            throw new IllegalArgumentException(
                    "worker: a worker host is set up where it runs, and has no options here, got "
                            + cluster.options().keySet().stream().sorted().toList());
        }
        return new WorkerFleet(installation, cluster.name(), database, signals, WorkerFleet.TIMEOUT);
    }
}
