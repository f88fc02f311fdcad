package dev.outpost.backend.fleet;

import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Quota;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.rest.cluster.ClusterState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The number of machines for which each cluster has room, less the placements of one transaction. */
public final class ClusterCapacity {
    private final List<ClusterRows.Stored> clusters;
    private final Map<String, Integer> taken;
    private final Map<String, Instant> nextEnds;

    private ClusterCapacity(
            List<ClusterRows.Stored> clusters, Map<String, Integer> taken, Map<String, Instant> nextEnds) {
        this.clusters = clusters;
        this.taken = taken;
        this.nextEnds = nextEnds;
    }

    public static ClusterCapacity of(Sql sql) {
        return new ClusterCapacity(
                ClusterRows.all(sql), new HashMap<>(ClusterRows.counts(sql)), QueueRows.nextEnds(sql));
    }

    /** Returns the next time at which a machine ends by itself on an active cluster that has such a GPU. */
    public Optional<Instant> nextEnd(String gpu) {
        return nextEnd(active(gpu));
    }

    private Optional<Instant> nextEnd(List<ClusterRows.Stored> active) {
        return active.stream()
                .map(ClusterRows.Stored::name)
                .filter(nextEnds::containsKey)
                .map(nextEnds::get)
                .min(Comparator.naturalOrder());
    }

    /** Returns the cluster with the most room. It prefers clusters that answered the last time. */
    public Optional<String> find(String gpu, int machines) {
        return withRoom(gpu, machines).map(ClusterRows.Stored::name).findFirst();
    }

    /**
     * Returns the places for a request, with the kind of GPU there: the cluster with the most room first, and its cheapest kind first.
     */
    List<Observation.Placed> places(String gpu, int machines, ToLongFunction<String> price) {
        return withRoom(gpu, machines)
                .flatMap(cluster -> GpuKinds.on(cluster.gpus(), gpu).stream()
                        .sorted(Comparator.comparingLong(price))
                        .map(kind -> new Observation.Placed(cluster.name(), Optional.of(kind))))
                .toList();
    }

    /**
     * Returns the first place that a request may get. The quotas were checked for the requested name of a GPU. Another kind must also fit
     * into the quotas for that kind.
     *
     * @param price the price of a kind
     * @param balance the quotas of the request's organisation, read only if needed
     */
    Optional<Observation.Placed> place(
            Request request, ToLongFunction<String> price, Supplier<QuotaRows.Balance> balance) {
        return places(request.gpu(), request.members(), price).stream()
                .filter(place ->
                        excess(request, place.kind().orElseThrow(), balance).isEmpty())
                .findFirst();
    }

    /** Returns the quota that keeps the request from every kind with room. */
    Optional<Quota.Excess> overQuota(Request request, Supplier<QuotaRows.Balance> balance) {
        return places(request.gpu(), request.members(), kind -> 0).stream()
                .flatMap(place -> excess(request, place.kind().orElseThrow(), balance).stream())
                .findFirst();
    }

    private static Optional<Quota.Excess> excess(Request request, String kind, Supplier<QuotaRows.Balance> balance) {
        boolean isOther = !kind.equals(request.gpu()) || kind.equals(GpuKinds.ANY);
        boolean isTenants = !request.organisation().equals(Pool.ORGANISATION);
        return isOther && isTenants ? balance.get().check(request, kind) : Optional.empty();
    }

    private Stream<ClusterRows.Stored> withRoom(String gpu, int machines) {
        return active(gpu).stream()
                .filter(cluster -> left(cluster) >= machines)
                .sorted(Comparator.comparing((ClusterRows.Stored cluster) ->
                                cluster.trouble().isEmpty())
                        .thenComparing(this::left)
                        .reversed());
    }

    /**
     * Returns the reason why a request can never start, because no cluster has such a GPU. Clusters that are unreachable, cordoned or full
     * count as having it, because the request may start there later.
     *
     * @return empty if a cluster has it
     */
    public Optional<String> impossible(String gpu) {
        if (clusters.stream().anyMatch(cluster -> cluster.has(gpu))) {
            return Optional.empty();
        }
        String kinds = clusters.stream()
                .flatMap(cluster -> cluster.gpus().stream())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return Optional.of("gpu: no cluster of this backend has " + gpu + "; "
                + (kinds.isEmpty() ? "there is no cluster yet, an operator adds one" : "there are " + kinds));
    }

    /** Returns the reason why no machine starts on a cluster with room: the cluster did not answer the last call. */
    public Optional<String> trouble(String name) {
        return clusters.stream()
                .filter(cluster -> cluster.name().equals(name))
                .findFirst()
                .flatMap(ClusterRows.Stored::trouble)
                .map(why -> "cluster " + name + " did not answer when it was last looked at (" + why
                        + "); a machine waits until it does");
    }

    void take(String cluster, int machines) {
        taken.merge(cluster, machines, Integer::sum);
    }

    private long left(ClusterRows.Stored cluster) {
        return cluster.machines().isEmpty()
                ? Integer.MAX_VALUE
                : cluster.machines().getAsInt() - (long) taken.getOrDefault(cluster.name(), 0);
    }

    private List<ClusterRows.Stored> active(String gpu) {
        return clusters.stream()
                .filter(cluster -> cluster.state() == ClusterState.ACTIVE && cluster.has(gpu))
                .filter(cluster -> !cluster.isAway())
                .toList();
    }

    private String away(String gpu) {
        List<String> away = clusters.stream()
                .filter(cluster -> cluster.state() == ClusterState.ACTIVE && cluster.has(gpu))
                .filter(ClusterRows.Stored::isAway)
                .map(ClusterRows.Stored::name)
                .toList();
        return away.isEmpty() ? "" : " but " + String.join(", ", away) + ", which is away";
    }

    /** Returns a sentence about why no GPU is free, and the latest time at which one will be free. */
    public String text(String gpu) {
        List<ClusterRows.Stored> active = active(gpu);
        if (active.isEmpty()) {
            return "no active cluster has " + gpu + away(gpu) + "; an operator adds or uncordons one";
        }
        List<String> full = new ArrayList<>();
        active.forEach(cluster -> full.add("cluster " + cluster.name() + " has room for "
                + cluster.machines().orElse(0) + " machines and has " + taken.getOrDefault(cluster.name(), 0)));
        return String.join(", ", full)
                + nextEnd(active)
                        .map(end -> "; the next one ends by " + wholeSecond(end) + " at the latest")
                        .orElse("");
    }

    /** Rounds up to whole seconds, because the time is shown as the latest possible one. */
    private static Instant wholeSecond(Instant time) {
        return time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    }
}
