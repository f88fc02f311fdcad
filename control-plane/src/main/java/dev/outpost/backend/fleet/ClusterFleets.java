package dev.outpost.backend.fleet;

import dev.outpost.backend.store.ClusterRows;
import dev.outpost.provider.fleet.MachineFleet;

/** A supplier of this backend's own, which goes by its rows. */
public interface ClusterFleets {
    /** The name that operators write. */
    String name();

    /**
     * The machines of a cluster.
     *
     * @throws IllegalArgumentException when an option is refused
     */
    MachineFleet open(String installation, ClusterRows.Stored cluster);
}
