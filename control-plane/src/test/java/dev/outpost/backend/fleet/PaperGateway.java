package dev.outpost.backend.fleet;

import dev.outpost.backend.model.deployment.Replica.Use;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.DeploymentRows.Key;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.deployment.ReplicaRows.Ordered;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.deployment.ReplicaState;
import dev.outpost.rest.machine.Phase;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A paper gateway of one deployment, which outlives the backend. It has a number of concurrent requests, each computed by one replica for
 * two turns, and follows its last orders.
 */
final class PaperGateway {
    private static final String NAME = "gw-1";
    private static final int TURNS = 2;

    /** A request that a replica computes. */
    private static final class Stream {
        private final UUID machine;
        private int turns;

        private Stream(UUID machine) {
            this.machine = machine;
        }
    }

    private final Key key;
    private final PaperSupplier supplier;
    private final Set<String> bad;
    private final List<Stream> streams = new ArrayList<>();
    private List<Ordered> orders = List.of();
    private Set<UUID> serving = Set.of();
    private int demand;
    private int asked;
    private int answered;
    private int cut;

    /** @param bad models that no machine can load */
    PaperGateway(Key key, PaperSupplier supplier, Set<String> bad) {
        this.key = key;
        this.supplier = supplier;
        this.bad = bad;
    }

    /** Sets the number of concurrent requests from now on. */
    void setDemand(int requests) {
        this.demand = requests;
    }

    /** The number of requests whose machine ended first. */
    int cut() {
        return cut;
    }

    int asked() {
        return asked;
    }

    int answered() {
        return answered;
    }

    /** Finishes the requests in progress and takes no new ones. */
    void finish() {
        demand = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            compute();
        }
    }

    /** Computes, reports, receives its orders, and sends requests, which the next report tells the backend. */
    void turn(Backend backend) {
        compute();
        List<Ordered> heard = backend.database.transact(this::report);
        serving = orders.stream()
                .filter(one -> state(one) == ReplicaState.SERVING)
                .map(Ordered::machine)
                .collect(Collectors.toSet());
        orders = heard;
        send();
    }

    private void compute() {
        Set<String> there = supplier.open("test", Map.of()).list().stream()
                .map(MachineObservation::machine)
                .map(ref -> ref.id())
                .collect(Collectors.toSet());
        for (Iterator<Stream> each = streams.iterator(); each.hasNext(); ) {
            Stream one = each.next();
            if (!there.contains(one.machine.toString())) {
                cut++;
                each.remove();
            } else if (++one.turns == TURNS) {
                answered++;
                each.remove();
            }
        }
    }

    /** Sends requests only to replicas that serve according to the backend. */
    private void send() {
        List<UUID> open = orders.stream()
                .filter(one -> !one.isDraining() && serving.contains(one.machine()))
                .map(Ordered::machine)
                .toList();
        while (!open.isEmpty() && streams.size() < demand) {
            streams.add(new Stream(open.get(asked++ % open.size())));
        }
    }

    private List<Ordered> report(Sql sql) {
        DeploymentRows.lock(sql, key).ifPresent(row -> {
            ReplicaRows.demand(sql, key, NAME, Math.max(0, demand - streams.size()), sql.now());
            for (Ordered one : orders) {
                if (one.phase() == Phase.READY) {
                    Use use = new Use(NAME, state(one), requests(one), 0, "its model cannot be read", sql.now());
                    ReplicaRows.report(sql, one.machine(), use);
                }
            }
            DeploymentRows.update(sql, row, sql.now());
        });
        return ReplicaRows.ordered(sql, key.organisation()).getOrDefault(key.name(), List.of());
    }

    private ReplicaState state(Ordered one) {
        if (one.phase() != Phase.READY) {
            return ReplicaState.LOADING;
        }
        if (bad.contains(one.model())) {
            return ReplicaState.FAILED;
        }
        return one.isDraining() && requests(one) == 0 ? ReplicaState.DRAINED : ReplicaState.SERVING;
    }

    private int requests(Ordered one) {
        return (int) streams.stream()
                .filter(stream -> stream.machine.equals(one.machine()))
                .count();
    }
}
