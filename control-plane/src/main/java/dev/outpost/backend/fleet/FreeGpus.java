package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.cluster.Descriptions;
import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.GpuAvailability;
import dev.outpost.provider.fleet.MachineFleet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Asks clusters for free GPUs, without starting a machine. An answer is reused for a second, so a burst of requests does not burden a
 * cluster. Calls block until the cluster has answered. Thread-safe.
 */
public final class FreeGpus {
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Database database;
    private final Suppliers suppliers;
    private final GpuCatalogue catalogue;
    private final LongSupplier nanos;
    private final Map<Question, Asked> asked = new ConcurrentHashMap<>();

    private record Question(String cluster, GpuType gpu) {}

    /** @param at the time of the question, by the monotonic clock */
    private record Asked(FutureTask<Optional<GpuAvailability>> answer, long at) {}

    public FreeGpus(Database database, Suppliers suppliers, GpuCatalogue catalogue) {
        this(database, suppliers, catalogue, System::nanoTime);
    }

    /** @param nanos a monotonic clock */
    FreeGpus(Database database, Suppliers suppliers, GpuCatalogue catalogue, LongSupplier nanos) {
        this.database = database;
        this.suppliers = suppliers;
        this.catalogue = catalogue;
        this.nanos = nanos;
    }

    /**
     * Returns the answer of a decision's cluster about a start of the machine. A warm machine runs already. Empty if
     * only a start can show the answer.
     */
    public Optional<GpuAvailability> of(Decision decision, Request request) {
        if (!(decision instanceof Decision.Starts start) || start.isWarm()) {
            return Optional.empty();
        }
        Optional<GpuAvailability> refused = refusal(start, request);
        return refused.isPresent() ? refused : on(start.cluster(), catalogue.find(start.kind()));
    }

    /**
     * Returns why every cluster would refuse the machine of a request. {@link ClusterCapacity#impossible} knows this only for clusters that
     * list their GPUs. A cluster that lists none, such as a host without a GPU, refuses by its supplier, which is not asked over a network.
     * Empty if a cluster may accept the machine.
     *
     * @param clusters all clusters
     */
    public Optional<String> impossible(List<ClusterRows.Stored> clusters, Request request) {
        List<ClusterRows.Stored> suitable =
                clusters.stream().filter(cluster -> cluster.has(request.gpu())).toList();
        boolean isListed = suitable.stream().anyMatch(cluster -> !cluster.gpus().isEmpty());
        if (request.gpu().equals(GpuKinds.ANY) || suitable.isEmpty() || isListed) {
            return Optional.empty();
        }
        List<String> refusals = suitable.stream()
                .flatMap(cluster -> refusal(cluster, request).stream())
                .toList();
        return refusals.size() == suitable.size()
                ? Optional.of(
                        "gpu: no cluster of this backend has " + request.gpu() + "; " + String.join("; ", refusals))
                : Optional.empty();
    }

    private Optional<String> refusal(ClusterRows.Stored cluster, Request request) {
        try {
            suppliers.fleet(cluster).validate(Descriptions.of(request, request.gpu(), catalogue));
            return Optional.empty();
        } catch (IllegalArgumentException failure) {
            return Optional.of("cluster " + cluster.name() + ": " + failure.getMessage());
        } catch (FleetException ignored) {
            // A cluster whose supplier cannot be set up now may accept the machine later.
            return Optional.empty();
        }
    }

    /** Returns the refusal that a start would cause: {@link MachineReconciler} would request the same machine. */
    private Optional<GpuAvailability> refusal(Decision.Starts start, Request request) {
        return answer(start.cluster(), fleet -> {
            fleet.validate(Descriptions.of(request, start.kind(), catalogue));
            return Optional.empty();
        });
    }

    /**
     * Returns whether another machine would get its GPU on a cluster now. A cluster that does not answer, or refuses
     * such a machine, has none, and its reason is the text. Empty if only a start can show the answer.
     */
    public Optional<GpuAvailability> on(String cluster, GpuType gpu) {
        long now = nanos.getAsLong();
        asked.values()
                .removeIf(
                        old -> now - old.at() >= FRESH.toNanos() && old.answer().isDone());
        FutureTask<Optional<GpuAvailability>> answer = asked.compute(
                        new Question(cluster, gpu),
                        (question, known) -> known != null && now - known.at() < FRESH.toNanos()
                                ? known
                                : new Asked(new FutureTask<>(() -> ask(cluster, gpu)), now))
                .answer();
        // The first caller asks the cluster, and other callers wait for the same answer.
        answer.run();
        try {
            return answer.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return none("the backend is stopping");
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(failure.getCause());
        }
    }

    private Optional<GpuAvailability> ask(String cluster, GpuType gpu) {
        return answer(cluster, fleet -> fleet.availability(gpu));
    }

    private Optional<GpuAvailability> answer(
            String cluster, Function<MachineFleet, Optional<GpuAvailability>> question) {
        try {
            return database.transact(sql -> ClusterRows.find(sql, cluster))
                    .map(suppliers::fleet)
                    .flatMap(question);
        } catch (FleetException failure) {
            return none("cluster " + cluster + " does not tell whether a GPU is free (" + failure.getMessage() + ")");
        } catch (IllegalArgumentException failure) {
            return none("cluster " + cluster + ": " + failure.getMessage());
        }
    }

    private static Optional<GpuAvailability> none(String why) {
        return Optional.of(new GpuAvailability(false, why));
    }
}
