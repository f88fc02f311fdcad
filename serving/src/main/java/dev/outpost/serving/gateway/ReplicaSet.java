package dev.outpost.serving.gateway;

import dev.outpost.rest.deployment.GatewayOrders.DeploymentOrder;
import dev.outpost.rest.deployment.GatewayOrders.ReplicaOrder;
import dev.outpost.rest.machine.Phase;
import dev.outpost.serving.engine.ServedModel;
import dev.outpost.serving.engine.ServingMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The replicas of all deployments, by deployment and machine. Thread-safe. It calls replicas under its lock, and
 * replicas never call it.
 */
final class ReplicaSet {
    private final BiFunction<String, ReplicaOrder, AttachedReplica> factory;
    private final ServingMetrics metrics;
    private final Map<String, Map<UUID, AttachedReplica>> replicas = new HashMap<>();
    private boolean isClosed;

    /** @param factory makes a replica, which is not started, from the name of its deployment and its order */
    ReplicaSet(BiFunction<String, ReplicaOrder, AttachedReplica> factory, ServingMetrics metrics) {
        this.factory = factory;
        this.metrics = metrics;
    }

    synchronized Set<String> deployments() {
        return Set.copyOf(replicas.keySet());
    }

    synchronized List<AttachedReplica> of(String deployment) {
        return List.copyOf(replicas.getOrDefault(deployment, Map.of()).values());
    }

    /** Reserves a place at the replica with the fewest requests. The caller must call {@link AttachedReplica#release}. */
    Optional<AttachedReplica> reserve(String deployment) {
        // Copies the numbers first, because they change while they are compared.
        Map<AttachedReplica, Integer> requests =
                of(deployment).stream().collect(Collectors.toMap(one -> one, AttachedReplica::requests));
        return requests.entrySet().stream()
                .sorted(Comparator.comparingInt(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .filter(AttachedReplica::reserve)
                .findFirst();
    }

    private Optional<ServedModel> anyModel(String deployment) {
        return of(deployment).stream()
                .map(AttachedReplica::model)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /**
     * Adds, drains and removes replicas as the backend orders. A replica gets requests only after the backend has received the report that
     * it serves, and has not ordered it to drain.
     *
     * @param reported the replicas that were reported to the backend as loaded
     */
    void carryOut(DesiredDeployments desired, Set<AttachedReplica> reported) {
        List<AttachedReplica> unwanted = new ArrayList<>();
        synchronized (this) {
            if (isClosed) {
                return;
            }
            desired.deployments().values().forEach(order -> carryOut(order, reported));
            if (desired.isComplete()) {
                replicas.forEach((name, own) -> own.entrySet()
                        .removeIf(one -> !desired.wants(name, one.getKey()) && unwanted.add(one.getValue())));
                replicas.values().removeIf(Map::isEmpty);
            }
        }
        unwanted.forEach(one -> Thread.ofVirtual().start(one::close));
    }

    private void carryOut(DeploymentOrder order, Set<AttachedReplica> reported) {
        for (ReplicaOrder one : order.replicas()) {
            AttachedReplica known =
                    replicas.getOrDefault(order.name(), Map.of()).get(one.machine());
            if (known == null && one.phase() == Phase.READY && !one.draining()) {
                add(order.name(), one);
            } else if (known != null && one.draining()) {
                known.drain();
            } else if (known != null && reported.contains(known)) {
                known.admit();
            }
        }
    }

    private void add(String deployment, ReplicaOrder order) {
        metrics.bindDeployment(deployment, this::anyModel);
        AttachedReplica replica = factory.apply(deployment, order);
        replicas.computeIfAbsent(deployment, none -> new LinkedHashMap<>()).put(order.machine(), replica);
        replica.start();
    }

    void close() {
        List<AttachedReplica> all = new ArrayList<>();
        synchronized (this) {
            isClosed = true;
            replicas.values().forEach(own -> all.addAll(own.values()));
            replicas.clear();
        }
        all.forEach(AttachedReplica::close);
    }
}
