package dev.outpost.cli.worker;

import dev.outpost.channel.client.GrantUse;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.WorkersApi;
import dev.outpost.rest.worker.WorkerReport;
import dev.outpost.rest.worker.WorkerReport.LogReport;
import dev.outpost.rest.worker.WorkerReport.MachineReport;
import dev.outpost.rest.worker.WorkerReport.UseReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a worker host. One thread reads the desired machines, and another thread reports the actual machines,
 * both as soon as they change. If the backend does not answer, machines continue, and missed reports are sent once it
 * answers again.
 */
public final class WorkerLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoop.class);
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration USES_PERIOD = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** The maximum number of characters of all logs in one report, because the backend limits its size. */
    private static final int LOG_CHARACTERS = 48_000;

    /** The maximum number of reports of grants of one machine that the backend accepts. */
    private static final int MAX_USES = 100;

    private static final String UNPAIRED = "unauthenticated";

    private final MachineFleet local;
    private final WorkersApi backend;
    private final HostCapacity capacity;
    private final String host;
    private final String version;
    private final HostReconciler hostReconciler;
    private final GrantReports grants;
    private final Semaphore news = new Semaphore(0);
    private final Map<MachineRef, LogTail> logs = new HashMap<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final Thread reader =
            Thread.ofVirtual().name("outpost-worker-orders").unstarted(this::read);
    private final Thread teller =
            Thread.ofVirtual().name("outpost-worker-report").unstarted(this::report);
    private FleetWatch watch;
    private boolean isIntroduced;

    /**
     * @param local the machines of this host
     * @param host the host's name, for people
     * @param version the version of this program
     */
    public WorkerLoop(
            MachineFleet local,
            BackendClient client,
            HostCapacity capacity,
            GpuCatalogue catalogue,
            String host,
            String version) {
        this.local = local;
        this.backend = new WorkersApi(client);
        this.capacity = capacity;
        this.host = host;
        this.version = version;
        this.hostReconciler = new HostReconciler(local, catalogue, client.access());
        this.grants = new GrantReports(local, new ManagerToken(client.access().key()), USES_PERIOD);
    }

    public WorkerLoop start() {
        watch = local.watch(observation -> news.release());
        reader.start();
        teller.start();
        return this;
    }

    /** Returns a future that completes when the loop has ended, exceptionally if the backend does not know this host any more. */
    public CompletableFuture<Void> over() {
        return over.copy();
    }

    // ---- orders

    private void read() {
        long known = -1;
        while (!over.isDone()) {
            try {
                DesiredMachines desired = DesiredMachines.of(backend.orders(known, WAIT));
                if (desired.version() != known) {
                    hostReconciler.take(desired);
                    known = desired.version();
                    news.release();
                }
            } catch (BackendException | FleetException failure) {
                endOrPause(failure);
            }
        }
    }

    // ---- reports

    private void report() {
        while (!over.isDone()) {
            try {
                HostReconciler.Present present = hostReconciler.poll();
                follow(present.machines());
                Map<MachineRef, List<String>> lines = nextLines();
                backend.report(report(present, lines, grants.next(present.machines())));
                lines.forEach((machine, sent) -> logs.get(machine).sent(sent.size()));
                isIntroduced = true;
                awaitNews();
            } catch (BackendException | FleetException failure) {
                endOrPause(failure);
            }
        }
    }

    private WorkerReport report(
            HostReconciler.Present present, Map<MachineRef, List<String>> lines, Map<MachineRef, List<GrantUse>> uses) {
        List<MachineReport> list = new ArrayList<>();
        present.machines()
                .forEach(observation -> list.add(machine(observation, present, uses.get(observation.machine()))));
        present.refused().forEach((machine, why) -> list.add(refused(machine, why, present)));
        return new WorkerReport(
                host,
                version,
                present.version(),
                isIntroduced ? null : capacity.gpus(),
                isIntroduced ? null : capacity.machines(),
                list,
                logs(lines));
    }

    private static MachineReport machine(
            MachineObservation observation, HostReconciler.Present present, @Nullable List<GrantUse> uses) {
        Optional<MachineAddress> address = observation.address();
        return new MachineReport(
                observation.machine().id(),
                observation.machine().epoch(),
                present.takesLabels() ? observation.gpu() : null,
                present.takesLabels() ? observation.labels() : null,
                present.applied().getOrDefault(observation.machine(), 0L),
                observation.state(),
                observation.reason(),
                observation.endCause().orElse(null),
                address.map(MachineAddress::host).orElse(null),
                address.map(MachineAddress::port).orElse(null),
                address.map(where -> where.certificate().sha256()).orElse(null),
                observation.since(),
                uses == null ? null : uses(uses));
    }

    private static List<UseReport> uses(List<GrantUse> said) {
        return said.stream()
                .limit(MAX_USES)
                .map(use -> new UseReport(
                        use.tokenSha256(),
                        use.sessions(),
                        use.lastSeen().orElse(null),
                        use.liveBytes(),
                        use.engineNanos()))
                .toList();
    }

    private static MachineReport refused(MachineRef machine, String why, HostReconciler.Present present) {
        return new MachineReport(
                machine.id(),
                machine.epoch(),
                null,
                null,
                present.applied().getOrDefault(machine, 0L),
                MachinePhase.ENDED,
                why,
                EndCause.FAILED,
                null,
                null,
                null,
                Instant.now(),
                null);
    }

    private void follow(List<MachineObservation> machines) {
        List<MachineRef> refs =
                machines.stream().map(MachineObservation::machine).toList();
        logs.entrySet().removeIf(tail -> {
            boolean isGone = !refs.contains(tail.getKey());
            if (isGone) {
                tail.getValue().close();
            }
            return isGone;
        });
        refs.forEach(machine -> logs.computeIfAbsent(machine, ref -> new LogTail(local, ref)));
    }

    /** Returns the next lines of each log. Logs may grow meanwhile. */
    private Map<MachineRef, List<String>> nextLines() {
        Map<MachineRef, List<String>> lines = new LinkedHashMap<>();
        int each = LOG_CHARACTERS / Math.max(1, logs.size());
        logs.forEach((machine, tail) -> lines.put(machine, tail.next(each)));
        lines.values().removeIf(List::isEmpty);
        return lines;
    }

    private List<LogReport> logs(Map<MachineRef, List<String>> lines) {
        return lines.entrySet().stream()
                .map(some -> new LogReport(
                        some.getKey().id(),
                        some.getKey().epoch(),
                        logs.get(some.getKey()).first(),
                        some.getValue()))
                .toList();
    }

    private void awaitNews() {
        try {
            if (news.tryAcquire(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- trouble, and the end

    private void endOrPause(RuntimeException failed) {
        if (failed instanceof BackendException refused && refused.code().equals(UNPAIRED)) {
            over.completeExceptionally(failed);
            return;
        }
        if (!over.isDone()) {
            LOG.info("{}; it is tried again", failed.getMessage());
            pause();
        }
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops reading orders and sending reports. Machines continue. */
    @Override
    public void close() {
        over.complete(null);
        reader.interrupt();
        teller.interrupt();
        join(reader);
        join(teller);
        if (watch != null) {
            watch.close();
        }
        logs.values().forEach(LogTail::close);
    }

    private static void join(Thread thread) {
        try {
            thread.join(PERIOD);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
