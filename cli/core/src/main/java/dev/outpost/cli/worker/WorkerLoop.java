package dev.outpost.cli.worker;

import dev.outpost.channel.client.GrantUse;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineObservation.State;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker host at work: one thread reads what shall be here, one tells what there is, each as soon as it changes. A backend
 * that does not answer changes nothing: machines go on, and what was missed is told when it is back.
 */
public final class WorkerLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoop.class);
    private static final int WAIT_SECONDS = 20;
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration USES_PERIOD = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** Of all logs in one report, which the backend takes up to a size. */
    private static final int LOG_CHARACTERS = 48_000;

    /** Of one machine, which the backend takes. */
    private static final int MAX_USES = 100;

    private static final String UNPAIRED = "unauthenticated";

    private final MachineFleet local;
    private final BackendClient client;
    private final HostCapacity capacity;
    private final Map<String, Object> identity;
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
     * @param version of this program
     */
    public WorkerLoop(
            MachineFleet local,
            BackendClient client,
            HostCapacity capacity,
            GpuCatalogue catalogue,
            String host,
            String version) {
        this.local = local;
        this.client = client;
        this.capacity = capacity;
        this.identity = Map.of("host", host, "version", version);
        this.hostReconciler = new HostReconciler(local, catalogue, client.access());
        this.grants = new GrantReports(local, new ManagerToken(client.access().key()), USES_PERIOD);
    }

    public WorkerLoop start() {
        watch = local.watch(observation -> news.release());
        reader.start();
        teller.start();
        return this;
    }

    /** Completes when the loop has ended; exceptionally where the backend does not know this host any more. */
    public CompletableFuture<Void> over() {
        return over.copy();
    }

    // ---- orders

    private void read() {
        long known = -1;
        while (!over.isDone()) {
            try {
                Optional<DesiredMachines> desiredMachines =
                        DesiredMachines.of(client.get("/v1/worker/orders?after=" + known + "&wait=" + WAIT_SECONDS));
                if (desiredMachines.isEmpty()) {
                    LOG.warn("the backend's answer is no list of orders; it is asked again, and nothing changes");
                    pause();
                } else if (desiredMachines.get().version() != known) {
                    hostReconciler.take(desiredMachines.get());
                    known = desiredMachines.get().version();
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
                client.post("/v1/worker/report", report(present, lines, grants.next(present.machines())));
                lines.forEach((machine, sent) -> logs.get(machine).sent(sent.size()));
                isIntroduced = true;
                awaitNews();
            } catch (BackendException | FleetException failure) {
                endOrPause(failure);
            }
        }
    }

    private Map<String, Object> report(
            HostReconciler.Present present, Map<MachineRef, List<String>> lines, Map<MachineRef, List<GrantUse>> uses) {
        Map<String, Object> report = new LinkedHashMap<>(identity);
        report.put("read", present.version());
        if (!isIntroduced) {
            report.put("gpus", capacity.gpus());
            report.put("machines", capacity.machines());
        }
        List<Map<String, Object>> list = new ArrayList<>();
        for (MachineObservation observation : present.machines()) {
            Map<String, Object> machine = machine(observation, present);
            Optional.ofNullable(uses.get(observation.machine())).ifPresent(said -> machine.put("uses", uses(said)));
            list.add(machine);
        }
        present.refused().forEach((machine, why) -> list.add(refused(machine, why, present)));
        report.put("list", list);
        report.put("logs", logs(lines));
        return report;
    }

    private static Map<String, Object> machine(MachineObservation observation, HostReconciler.Present present) {
        Map<String, Object> machine = name(observation.machine(), present);
        machine.put("state", observation.state());
        machine.put("reason", observation.reason());
        if (present.takesLabels()) {
            machine.put("gpu", observation.gpu());
            machine.put("labels", observation.labels());
        }
        observation.endCause().ifPresent(cause -> machine.put("endCause", cause));
        observation.address().ifPresent(address -> put(machine, address));
        machine.put("since", observation.since().toString());
        return machine;
    }

    private static List<Map<String, Object>> uses(List<GrantUse> said) {
        return said.stream()
                .limit(MAX_USES)
                .map(use -> {
                    Map<String, Object> json = new LinkedHashMap<>();
                    json.put("tokenSha256", use.tokenSha256());
                    json.put("sessions", use.sessions());
                    use.lastSeen().ifPresent(time -> json.put("lastSeen", time.toString()));
                    json.put("liveBytes", use.liveBytes());
                    json.put("engineNanos", use.engineNanos());
                    return json;
                })
                .toList();
    }

    private static Map<String, Object> refused(MachineRef ref, String why, HostReconciler.Present present) {
        Map<String, Object> machine = name(ref, present);
        machine.put("state", State.ENDED);
        machine.put("endCause", EndCause.FAILED);
        machine.put("reason", why);
        machine.put("since", Instant.now().toString());
        return machine;
    }

    private static Map<String, Object> name(MachineRef machine, HostReconciler.Present present) {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("id", machine.id());
        named.put("epoch", machine.epoch());
        named.put("applied", present.applied().getOrDefault(machine, 0L));
        return named;
    }

    private static void put(Map<String, Object> machine, MachineAddress address) {
        machine.put("host", address.host());
        machine.put("port", address.port());
        machine.put("certificate", address.certificate().sha256());
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

    /** The next lines of each log; more may come meanwhile. */
    private Map<MachineRef, List<String>> nextLines() {
        Map<MachineRef, List<String>> lines = new LinkedHashMap<>();
        int each = LOG_CHARACTERS / Math.max(1, logs.size());
        logs.forEach((machine, tail) -> lines.put(machine, tail.next(each)));
        lines.values().removeIf(List::isEmpty);
        return lines;
    }

    private List<Map<String, Object>> logs(Map<MachineRef, List<String>> lines) {
        List<Map<String, Object>> parts = new ArrayList<>();
        lines.forEach((machine, some) -> parts.add(Map.of(
                "id",
                machine.id(),
                "epoch",
                machine.epoch(),
                "first",
                logs.get(machine).first(),
                "lines",
                some)));
        return parts;
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

    /** Stops reading and telling. Machines go on. */
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
