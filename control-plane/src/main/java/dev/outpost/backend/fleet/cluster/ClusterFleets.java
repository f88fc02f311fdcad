package dev.outpost.backend.fleet.cluster;

import dev.outpost.backend.store.ClusterRows;
import dev.outpost.provider.fleet.MachineFleet;

/** A supplier that is part of this backend and reads its rows. */
public interface ClusterFleets {
    /** Returns the name of the supplier in the settings of clusters. */
    String name();

    /**
     * Opens the fleet of a cluster.
     *
     * @throws IllegalArgumentException if an option is refused
     */
    MachineFleet open(String installation, ClusterRows.Stored cluster);
}
