package dev.outpost.backend.fleet;

import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Quota;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.QuotaRows;
import dev.outpost.backend.store.Sql;
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

/** The machines that clusters have room for. Counts what is taken; for one transaction. */
public final class ClusterCapacity {
    private final List<ClusterRows.Stored> clusters;
    private final Map<String, Integer> taken;
    private final Optional<Instant> next;

    private ClusterCapacity(List<ClusterRows.Stored> clusters, Map<String, Integer> taken, Optional<Instant> next) {
        this.clusters = clusters;
        this.taken = taken;
        this.next = next;
    }

    public static ClusterCapacity of(Sql sql) {
        return new ClusterCapacity(
                ClusterRows.all(sql), new HashMap<>(ClusterRows.counts(sql)), QueueRows.nextEnd(sql));
    }

    /** The one with the most room; one that did not answer lately only where no other has room. */
    public Optional<String> find(String gpu, int machines) {
        return withRoom(gpu, machines).map(ClusterRows.Stored::name).findFirst();
    }

    /**
     * Where a request can be placed, and which kind of GPU it is given there: the cluster with the most room first, of its kinds the
     * cheapest first.
     */
    List<Observation.Placed> places(String gpu, int machines, ToLongFunction<String> price) {
        return withRoom(gpu, machines)
                .flatMap(cluster -> GpuKinds.on(cluster.gpus(), gpu).stream()
                        .sorted(Comparator.comparingLong(price))
                        .map(kind -> new Observation.Placed(cluster.name(), Optional.of(kind))))
                .toList();
    }

    /**
     * The first place with room that a request may be given. Its quotas were held to by the name that it asked for; a kind of GPU of another
     * name has to fit into the quotas of that name, too.
     *
     * @param price of a kind
     * @param balance of the request's organisation, read only where it is needed
     */
    Optional<Observation.Placed> place(
            Request request, ToLongFunction<String> price, Supplier<QuotaRows.Balance> balance) {
        return places(request.gpu(), request.members(), price).stream()
                .filter(place ->
                        excess(request, place.kind().orElseThrow(), balance).isEmpty())
                .findFirst();
    }

    /** Why none of the kinds for which there is room may be given. */
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
     * Why a request can never start here: no cluster has such a GPU, whatever its state. One that is away, cordoned or full has it; it
     * does not start now, and may later.
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

    /** Why nothing starts on a cluster for now, although it has room: it did not answer when it was last looked at. */
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

    /** Why there is none, and until when at the most. */
    public String text(String gpu) {
        List<ClusterRows.Stored> active = active(gpu);
        if (active.isEmpty()) {
            return "no active cluster has " + gpu + away(gpu) + "; an operator adds or uncordons one";
        }
        List<String> full = new ArrayList<>();
        active.forEach(cluster -> full.add("cluster " + cluster.name() + " has room for "
                + cluster.machines().orElse(0) + " machines and has " + taken.getOrDefault(cluster.name(), 0)));
        return String.join(", ", full)
                + next.map(end -> "; the next one ends by " + wholeSecond(end) + " at the latest")
                        .orElse("");
    }

    /** Not before it, since it is said to be the latest. */
    private static Instant wholeSecond(Instant time) {
        return time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    }
}
