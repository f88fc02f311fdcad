package dev.outpost.backend.faults;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.Multi;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The clusters and the real state of their machines, whether or not a backend sees it. */
final class Hosts {
    static final String PROVIDER = "paper";
    static final int CLUSTERS = 2;

    private static final String CLUSTER = "cluster";

    /** A cluster of one host, which has all its machines. */
    private static final class Cluster {
        private final Map<MachineRef, HostMachine> machines = new LinkedHashMap<>();
        private boolean isCut;
        private int answersToLose;
        private Duration skew = Duration.ZERO;
    }

    private final World world;
    private final List<Cluster> clusters = new ArrayList<>();

    /** All machines that ever existed, in the order of their creation. */
    private final Map<UUID, HostMachine> made = new LinkedHashMap<>();

    Hosts(World world) {
        this.world = world;
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            clusters.add(new Cluster());
        }
    }

    static String name(int cluster) {
        return "host-" + cluster;
    }

    static Map<String, String> options(int cluster) {
        return Map.of(CLUSTER, Integer.toString(cluster));
    }

    // ---- faults

    void cut(int cluster, boolean isCut) {
        clusters.get(cluster).isCut = isCut;
    }

    boolean isCut(int cluster) {
        return clusters.get(cluster).isCut;
    }

    void loseAnswers(int cluster, int calls) {
        clusters.get(cluster).answersToLose = calls;
    }

    void stepClock(int cluster, Duration step) {
        clusters.get(cluster).skew = clusters.get(cluster).skew.plus(step);
    }

    /** Stops all its machines at once, without a trace. */
    void kill(int cluster) {
        Cluster host = clusters.get(cluster);
        host.machines.values().forEach(machine -> machine.stop(EndCause.FAILED, "its host has lost its power"));
        host.machines.clear();
    }

    void heal() {
        clusters.forEach(cluster -> {
            cluster.isCut = false;
            cluster.answersToLose = 0;
            cluster.machines.values().forEach(HostMachine::find);
        });
    }

    // ---- the real state

    List<HostMachine> running() {
        return made.values().stream().filter(HostMachine::isRunning).toList();
    }

    List<UUID> present() {
        return clusters.stream()
                .flatMap(cluster -> cluster.machines.values().stream())
                .map(HostMachine::id)
                .toList();
    }

    Optional<HostMachine> find(UUID id) {
        return Optional.ofNullable(made.get(id));
    }

    Instant clock(int cluster) {
        return world.now().plus(clusters.get(cluster).skew);
    }

    // ---- calls of a replica

    FleetProvider of(BackendReplica replica) {
        return new FleetProvider() {
            @Override
            public String name() {
                return PROVIDER;
            }

            @Override
            public MachineFleet open(String installation, Map<String, String> options) {
                return new Fleet(replica, installation, Integer.parseInt(options.get(CLUSTER)));
            }
        };
    }

    /** One cluster as seen by one replica. */
    private final class Fleet implements MachineFleet {
        private final BackendReplica replica;
        private final String installation;
        private final int number;
        private final Cluster cluster;

        private Fleet(BackendReplica replica, String installation, int number) {
            this.replica = replica;
            this.installation = installation;
            this.number = number;
            this.cluster = clusters.get(number);
        }

        private <T> T call(String what, Supplier<T> effect) {
            replica.pass("before " + what, true);
            requireThere();
            T answer = effect.get();
            if (cluster.answersToLose > 0) {
                cluster.answersToLose--;
                throw new FleetException(Kind.UNAVAILABLE, BackendReplica.INJECTED + "the answer was lost");
            }
            replica.pass("after " + what, true);
            // The answer may come late, or not at all if the network has been cut.
            requireThere();
            return answer;
        }

        private void requireThere() {
            if (cluster.isCut) {
                throw new FleetException(Kind.UNAVAILABLE, BackendReplica.INJECTED + "the network is cut");
            }
        }

        @Override
        public String installation() {
            return installation;
        }

        @Override
        public void validate(DesiredMachine machine) {
            // The cluster has all kinds.
        }

        @Override
        public MachineObservation ensure(DesiredMachine desired) {
            return call(
                    "ensure",
                    () -> cluster.machines
                            .computeIfAbsent(desired.machine(), ref -> make(desired))
                            .seen());
        }

        private HostMachine make(DesiredMachine desired) {
            HostMachine machine = new HostMachine(world, Hosts.this, number, desired);
            made.put(machine.id(), machine);
            return machine;
        }

        @Override
        public List<MachineObservation> list() {
            List<MachineObservation> list = call(
                    "list",
                    () -> cluster.machines.values().stream()
                            .map(HostMachine::seen)
                            .toList());
            world.record(new Happening.Listed(
                    name(number),
                    list.stream()
                            .map(observation ->
                                    UUID.fromString(observation.machine().id()))
                            .toList()));
            return list;
        }

        @Override
        public FleetWatch watch(Consumer<MachineObservation> listener) {
            throw new UnsupportedOperationException("these replicas look at lists");
        }

        @Override
        public void bind(MachineRef ref, Grant grant) {
            call("bind", () -> {
                live(ref).bind(grant.tokenSha256(), grant.terms());
                return true;
            });
        }

        @Override
        public void revoke(MachineRef ref, String tokenSha256) {
            call("revoke", () -> {
                live(ref).revoke(tokenSha256);
                return true;
            });
        }

        private HostMachine live(MachineRef ref) {
            HostMachine machine = cluster.machines.get(ref);
            if (machine == null || !machine.isRunning()) {
                throw new FleetException(Kind.NOT_FOUND, "there is no machine " + ref + ", or it has ended");
            }
            return machine;
        }

        @Override
        public void end(MachineRef ref) {
            call("end", () -> {
                Optional.ofNullable(cluster.machines.remove(ref))
                        .ifPresent(machine -> machine.stop(EndCause.STOPPED, "it was told to"));
                return true;
            });
        }

        @Override
        public Multi<String> logs(MachineRef machine, boolean follow) {
            return Multi.createFrom().empty();
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    /** Returns true if these terms are still in force by the clock of a cluster. */
    boolean isInForce(int cluster, GrantTerms terms) {
        return !terms.isOver(clock(cluster));
    }
}
