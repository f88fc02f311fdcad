package dev.outpost.backend.fleet.cluster;

import dev.outpost.backend.store.ClusterRows;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.MachineFleet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The fleets of the clusters, opened when they are first needed. Thread-safe. */
public final class Suppliers implements AutoCloseable {
    private final String installation;
    private final SortedMap<String, ClusterFleets> providers = new TreeMap<>();
    private final Map<String, Open> open = new HashMap<>();

    /** A fleet, and the version of its cluster's settings. */
    private record Open(long version, MachineFleet fleet) {}

    /** @param installation the name that distinguishes this backend's machines from machines of other backends at the same supplier */
    public Suppliers(String installation, Iterable<FleetProvider> providers, ClusterFleets... own) {
        this.installation = installation;
        providers.forEach(provider -> this.providers.put(provider.name(), outside(provider)));
        List.of(own).forEach(provider -> this.providers.put(provider.name(), provider));
    }

    private static ClusterFleets outside(FleetProvider provider) {
        return new ClusterFleets() {
            @Override
            public String name() {
                return provider.name();
            }

            @Override
            public MachineFleet open(String installation, ClusterRows.Stored cluster) {
                return provider.open(installation, cluster.options());
            }
        };
    }

    /**
     * Refuses a cluster that no provider of this process can open.
     *
     * @throws IllegalArgumentException if the cluster is refused; the message is the reason
     */
    public void check(ClusterRows.Stored cluster) {
        provider(cluster).open(installation, cluster).close();
    }

    /** @throws FleetException if no provider of this process can open it */
    public synchronized MachineFleet fleet(ClusterRows.Stored cluster) {
        Open known = open.get(cluster.name());
        if (known != null && known.version() == cluster.version()) {
            return known.fleet();
        }
        MachineFleet fleet = open(cluster);
        open.put(cluster.name(), new Open(cluster.version(), fleet));
        if (known != null) {
            known.fleet().close();
        }
        return fleet;
    }

    private MachineFleet open(ClusterRows.Stored cluster) {
        try {
            return provider(cluster).open(installation, cluster);
        } catch (IllegalArgumentException failure) {
            throw new FleetException(FleetException.Kind.UNAVAILABLE, failure.getMessage(), failure);
        }
    }

    private ClusterFleets provider(ClusterRows.Stored cluster) {
        ClusterFleets provider = providers.get(cluster.provider());
        if (provider == null) {
            throw new IllegalArgumentException("cluster " + cluster.name() + ": there is no provider \""
                    + cluster.provider() + "\"; expected " + String.join(", ", providers.keySet())
                    + (providers.containsKey("k8s")
                            ? " (k8s is Kubernetes, process this host, worker a paired host)"
                            : ""));
        }
        return provider;
    }

    @Override
    public synchronized void close() {
        open.values().forEach(known -> known.fleet().close());
        open.clear();
    }
}
