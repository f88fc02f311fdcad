package dev.outpost.provider.lan;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.support.CancellableTask;
import dev.outpost.provider.support.MonotonicProgress;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Machines that are workers of the local network. {@code any} is the paired worker with the most free memory. Any other type is the name of
 * a GPU. The option {@code worker} selects a worker by its name.
 */
public final class LanProvider implements GpuProvider {
    /** The option that names a worker. */
    public static final String WORKER = "worker";

    /** The maximum time to find the requested worker. */
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    /** The maximum time to look for a named worker if a worker of that name answers but may not be used. */
    private static final Duration REFUSAL = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofMillis(100);

    /**
     * The certificates of the workers that this provider has leased, because the members of a group must be different
     * workers.
     */
    private final Set<String> given = new HashSet<>();

    @Override
    public String name() {
        return "lan";
    }

    @Override
    public void validate(MachineSpec spec) {
        Set<String> unknown = spec.options().keySet().stream()
                .filter(option -> !option.equals(WORKER))
                .collect(Collectors.toSet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("lan: expected the option " + WORKER + " at most, got " + unknown);
        }
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return CancellableTask.uni("outpost-lan", task -> find(spec, task, new MonotonicProgress(progress)));
    }

    private Lease find(MachineSpec spec, CancellableTask<?> task, MonotonicProgress progress)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        progress.report(MachinePhase.CONNECTING, "looking for workers");
        try (Workers workers = Workers.open()) {
            List<Worker> found;
            do {
                Thread.sleep(LOOK);
                found = workers.list();
                Optional<Worker> best = take(found, spec);
                if (best.isPresent()) {
                    Worker worker = task.began(best.get(), this::release);
                    progress.report(MachinePhase.READY, worker.name() + " at " + worker.address());
                    return new LanLease(worker, () -> release(worker));
                }
            } while (System.nanoTime() - start < timeout(spec, found).toNanos());
            throw new IOException(refusal(spec, found, workers.refused()));
        }
    }

    private static Duration timeout(MachineSpec spec, List<Worker> workers) {
        boolean isRefused = workers.stream()
                .anyMatch(worker -> worker.name().equals(spec.options().get(WORKER))
                        && worker.latency().isPresent()
                        && worker.pairing() != Worker.Pairing.PAIRED);
        return isRefused ? REFUSAL : TIMEOUT;
    }

    private Optional<Worker> take(List<Worker> workers, MachineSpec spec) {
        synchronized (given) {
            Optional<Worker> best = workers.stream()
                    .filter(worker -> worker.isUsable() && fits(worker, spec) && !isGiven(worker))
                    .max(Comparator.comparingLong(Worker::freeBytes));
            best.ifPresent(worker -> given.add(worker.certificate()));
            return best;
        }
    }

    private boolean isGiven(Worker worker) {
        synchronized (given) {
            return given.contains(worker.certificate());
        }
    }

    private void release(Worker worker) {
        synchronized (given) {
            given.remove(worker.certificate());
        }
    }

    private static boolean fits(Worker worker, MachineSpec spec) {
        boolean isNamed = !spec.options().containsKey(WORKER)
                || spec.options().get(WORKER).equals(worker.name());
        return isNamed && (spec.gpu().isAny() || isGpu(worker.gpu(), spec.gpu()));
    }

    /**
     * Returns true if a worker's GPU is of a type.
     *
     * @param announced the worker's announced GPU: the driver's name of it, and details after a comma
     */
    static boolean isGpu(String announced, GpuType type) {
        return GpuCatalogue.configured().isOf(type, announced.split(",", 2)[0].strip());
    }

    private String refusal(MachineSpec spec, List<Worker> workers, List<String> refused) {
        String wanted = spec.options().containsKey(WORKER)
                ? "the worker " + spec.options().get(WORKER)
                : spec.gpu().isAny() ? "a worker" : "a worker with " + spec.gpu();
        if (workers.isEmpty()) {
            return "lan: " + wanted + " was not found within " + TIMEOUT.toSeconds()
                    + " s; ./outpost runtime --announce on another host of this network starts one"
                    + (refused.isEmpty() ? "" : "; left out: " + String.join("; ", refused));
        }
        return "lan: " + wanted + " was not found; there are "
                + workers.stream().map(this::state).collect(Collectors.joining("; "));
    }

    private String state(Worker worker) {
        if (!worker.isUsable()) {
            return worker.refusal();
        }
        return worker.name() + " with " + worker.gpu() + (isGiven(worker) ? ", which this group has already" : "");
    }
}
