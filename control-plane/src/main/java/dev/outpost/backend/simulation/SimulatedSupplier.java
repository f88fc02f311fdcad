package dev.outpost.backend.simulation;

import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** The clusters of a simulation, by the option {@code name}. */
final class SimulatedSupplier implements FleetProvider {
    static final String NAME = "simulated";
    static final String CLUSTER = "name";

    private final InstantSource clock;
    private final InjectedFaults faults;
    private final long seed;
    private final Map<String, SimulatedCluster> clusters = new LinkedHashMap<>();

    SimulatedSupplier(InstantSource clock, InjectedFaults faults, long seed) {
        this.clock = clock;
        this.faults = faults;
        this.seed = seed;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public MachineFleet open(String installation, Map<String, String> options) {
        String name = options.get(CLUSTER);
        return clusters.computeIfAbsent(
                name, none -> new SimulatedCluster(installation, clock, new Random(seed + name.hashCode()), faults));
    }

    /** Advances all clusters to the clock's time. */
    void advance(Consumer<MachineObservation> watch) {
        clusters.values().forEach(cluster -> cluster.advance().forEach(watch));
    }

    /** True if an observation of the cluster can find something. This is the case if it has machines, or does not answer. */
    boolean isWorthALook(String cluster) {
        SimulatedCluster there = clusters.get(cluster);
        return there != null && (there.isAway() || !there.truth().isEmpty());
    }

    boolean isEmpty() {
        return clusters.values().stream().allMatch(cluster -> cluster.truth().isEmpty());
    }

    /** Returns all machines, even on unreachable clusters. */
    List<MachineObservation> truth() {
        return clusters.values().stream()
                .flatMap(cluster -> cluster.truth().stream())
                .toList();
    }
}
