package dev.outpost.backend.worker;

import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.worker.WorkerStateSync.Present;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A minimal worker host: carries out its orders on a fleet of the test, and reports its machines. */
final class TestWorker implements AutoCloseable {
    private final WorkerStateSync workerSync;
    private final String cluster;
    private final MachineFleet local;
    private final Map<MachineRef, Long> applied = new HashMap<>();
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private volatile boolean closed;

    TestWorker(WorkerStateSync workerSync, String cluster, MachineFleet local) {
        this.workerSync = workerSync;
        this.cluster = cluster;
        this.local = local;
    }

    TestWorker start() {
        thread.start();
        return this;
    }

    private void run() {
        while (!closed) {
            turn(Duration.ofMillis(20));
        }
    }

    /** Reads its orders once, carries them out, and reports its machines. */
    void turn(Duration wait) {
        WorkerStateSync.Orders desired = workerSync.orders(cluster, Long.MAX_VALUE, Duration.ZERO);
        desired.machines().forEach(this::carryOut);
        List<Present> list = local.list().stream()
                .map(observation -> new Present(
                        observation.machine(),
                        applied.getOrDefault(observation.machine(), 0L),
                        new WorkerRows.Said(
                                observation.state(),
                                observation.reason(),
                                observation.endCause(),
                                observation.address(),
                                observation.since()),
                        Optional.of(new WorkerStateSync.Found(observation.gpu(), observation.labels()))))
                .toList();
        List<WorkerStateSync.LogPart> logs = list.stream()
                .map(present -> new WorkerStateSync.LogPart(present.machine(), 0, log(present.machine())))
                .toList();
        workerSync.report(cluster, new WorkerStateSync.Report("test", "1", desired.version(), list, logs, List.of()));
        workerSync.orders(cluster, desired.version(), wait);
    }

    private List<String> log(MachineRef machine) {
        try {
            return local.logs(machine, false).collect().asList().await().indefinitely();
        } catch (FleetException ignored) {
            return List.of();
        }
    }

    private void carryOut(WorkerRows.Wanted order) {
        if (applied.getOrDefault(order.machine(), 0L) >= order.version()) {
            return;
        }
        if (order.isEnding()) {
            local.end(order.machine());
        } else {
            ensure(order);
        }
        applied.put(order.machine(), order.version());
    }

    private void ensure(WorkerRows.Wanted order) {
        if (order.applied() == 0) {
            local.ensure(new DesiredMachine(
                    order.machine(),
                    GpuCatalogue.standard().find(order.gpu()),
                    order.gpus(),
                    order.bounds(),
                    order.grants().stream().map(Grant::parse).toList(),
                    order.labels(),
                    Map.of(),
                    Optional.empty()));
        }
        try {
            order.grants().forEach(line -> local.bind(order.machine(), Grant.parse(line)));
            order.revoked().forEach(hash -> local.revoke(order.machine(), hash));
        } catch (FleetException ignored) {
            // Then nobody can use it anyway.
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
