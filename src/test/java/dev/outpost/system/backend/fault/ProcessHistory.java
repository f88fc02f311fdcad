package dev.outpost.system.backend.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.UsageInterval;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.machine.EventType;
import dev.outpost.rest.machine.Phase;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.SmallJar;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Carries out the steps of one history on real processes, waits until everything has settled, and reports broken rules. */
final class ProcessHistory implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final long RATE = 1_000_000;
    private static final long MAX_MACHINES = 6;
    private static final long HOUR = 3_600;
    private static final int SLACK = 3;

    /** A job waits for the lease of each run that was lost. */
    private static final Duration LEASES = Duration.ofMinutes(10);

    private final FaultedProcesses processes;
    private final JobRuns runs;
    private final BackendClient client;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Instant> machines = new LinkedHashMap<>();
    private final Map<String, ProcessStep.Submit> jobs = new LinkedHashMap<>();
    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final List<String> pending = new CopyOnWriteArrayList<>();
    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final byte[] program = SmallJar.of(TimedProgram.class);
    private final Random random;
    private Optional<BudgetSet> budget = Optional.empty();
    private int clockHours;
    private volatile boolean isClosed;

    /**
     * A confirmed budget, in billionths.
     *
     * @param spent the amount that was spent by then
     * @param clockHours the hours by which the database's clock was ahead
     */
    private record BudgetSet(long cap, long spent, int clockHours) {}

    ProcessHistory(Path folder, long seed) throws IOException {
        this.random = new Random(seed);
        this.runs = JobRuns.listen();
        this.processes = FaultedProcesses.start(folder);
        this.client = processes.client().within(ANSWER);
        client.put("/v1/prices", Map.of("gpu", "any", "perHour", 3.6));
        client.putBytes("/v1/files/" + hash() + "?size=" + program.length + "&from=0", program);
    }

    private String hash() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(program));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The broken rules, each with a sentence. */
    Map<String, String> run(List<ProcessStep> steps) {
        try {
            for (ProcessStep step : steps) {
                System.out.println(Instant.now() + " " + step);
                apply(step);
                inspect();
            }
            processes.heal();
            settle();
            end();
            check();
        } catch (AssertionError failure) {
            violate("it does not settle", failure.getMessage() + "\n" + processes.logs());
        }
        return violations;
    }

    private void violate(String rule, String text) {
        violations.putIfAbsent(rule, text);
    }

    private void require(boolean holds, String rule, String text) {
        if (!holds) {
            violate(rule, text);
        }
    }

    // ---- steps

    private void apply(ProcessStep step) {
        switch (step) {
            case ProcessStep.Wait it -> FaultedProcesses.pause(it.millis());
            case ProcessStep.Start it -> start();
            case ProcessStep.Stop it ->
                pick(List.copyOf(machines.keySet()), it.machine()).ifPresent(this::stop);
            case ProcessStep.Submit it -> submit(it);
            case ProcessStep.Cancel it ->
                pick(List.copyOf(jobs.keySet()), it.job()).ifPresent(this::cancel);
            case ProcessStep.SetPool it ->
                ask("pool", one -> one.put("/v1/pools/warm", Map.of("gpu", "any", "min", it.size())));
            case ProcessStep.SetBudget it -> setBudget(it.seconds());
            case ProcessStep.KillReplica it -> processes.killReplica(it.replica());
            case ProcessStep.StartReplica it -> processes.startReplica(it.replica());
            case ProcessStep.StallReplica it -> processes.stallReplica(it.replica(), it.millis());
            case ProcessStep.KillDatabase it -> {
                processes.killDatabase();
                FaultedProcesses.pause(it.millis());
                processes.startDatabase();
            }
            case ProcessStep.KillWorker it -> processes.killWorker();
            case ProcessStep.StartWorker it -> processes.launchWorker();
            case ProcessStep.KillMachine it ->
                pick(processes.machines(), it.machine())
                        .ifPresent(machine -> processes.kill(machine, MachineFolder.PROCESS));
            case ProcessStep.KillRunner it ->
                pick(processes.machines(), it.machine())
                        .ifPresent(machine -> processes.kill(machine, MachineFolder.RUNNER));
            case ProcessStep.Cut it -> processes.cut(it.isCut());
            case ProcessStep.StepClock it -> processes.setClock(++clockHours);
        }
    }

    private static <T> Optional<T> pick(List<T> all, int number) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(number % all.size()));
    }

    private interface Request {
        JsonNode send(BackendClient client);
    }

    /** Repeats a request on a separate thread until there is an answer. A refusal is an answer. */
    private void ask(String what, Request request) {
        pending.add(what);
        requests.execute(() -> {
            while (!isClosed && !isAnswered(what, request)) {
                FaultedProcesses.pause(200);
            }
            pending.remove(what);
        });
    }

    private boolean isAnswered(String what, Request request) {
        try {
            request.send(client);
            accepted.add(what);
            return true;
        } catch (BackendException failure) {
            return !failure.isRetryable();
        }
    }

    private String draw() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private void start() {
        String id = draw();
        machines.put(id, Instant.now());
        ask(id, one -> one.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT30M")));
    }

    private void stop(String id) {
        ask("end of " + id, one -> one.post("/v1/machines/" + id + ":end", Map.of()));
    }

    private void submit(ProcessStep.Submit step) {
        String id = draw();
        jobs.put(id, step);
        ask(
                id,
                one -> one.put(
                        "/v1/jobs/" + id,
                        Map.of(
                                "gpu", "any",
                                "program", hash(),
                                "programName", "app.jar",
                                "retries", step.retries(),
                                "arguments",
                                        List.of(
                                                Integer.toString(runs.port()),
                                                Integer.toString(step.seconds()),
                                                Integer.toString(step.code())))));
    }

    private void cancel(String id) {
        ask("cancel of " + id, one -> one.post("/v1/jobs/" + id + ":cancel", Map.of()));
    }

    /** The request is sent once; the backend must keep it only if it was confirmed. */
    private void setBudget(int seconds) {
        budget = Optional.empty();
        try {
            if (seconds == 0) {
                client.delete("/v1/budgets?period=LIFETIME");
            } else {
                client.put("/v1/budgets", Map.of("period", "LIFETIME", "cap", seconds * 0.001));
                budget = spent().map(spent -> new BudgetSet(seconds * RATE, spent, clockHours));
            }
        } catch (BackendException ignored) {
            // The next attempt may succeed.
        }
    }

    // ---- rules

    /** The rules that must hold all the time. */
    private void inspect() {
        List<String> ids = processes.machines().stream()
                .filter(MachineFolder::isAlive)
                .map(FaultedProcesses::id)
                .toList();
        require(ids.stream().distinct().count() == ids.size(), "no duplicate", "of these, one is there twice: " + ids);
        jobs.forEach((id, job) -> {
            require(runs.most(id) <= 1, "runs do not overlap", runs.most(id) + " runs of " + id + " lived at once");
            require(
                    runs.begun(id) <= job.retries() + 1,
                    "no more runs than asked for",
                    runs.begun(id) + " runs of " + id + ", " + job);
        });
        if (budget.isPresent()) {
            spent().ifPresent(this::checkBudget);
        }
    }

    private void checkBudget(long nanos) {
        BudgetSet set = budget.orElseThrow();
        long stepped = (clockHours - set.clockHours()) * HOUR;
        long slack = (FaultedProcesses.HORIZON_SECONDS + SLACK + stepped) * RATE * MAX_MACHINES;
        require(nanos <= Math.max(set.cap(), set.spent()) + slack, "a budget holds", nanos + " spent, of " + set.cap());
    }

    private Optional<Long> spent() {
        try {
            JsonNode first = client.get("/v1/budgets").path("items").path(0);
            return Optional.of(first)
                    .filter(one -> one.has("spentNanos"))
                    .map(one -> one.path("spentNanos").asLong());
        } catch (BackendException ignored) {
            return Optional.empty();
        }
    }

    private void settle() {
        Await.until(() -> "requests without an answer: " + pending, pending::isEmpty);
        budget = Optional.empty();
        ask("no budget", one -> {
            one.delete("/v1/budgets?period=LIFETIME");
            return null;
        });
        Await.until(
                LEASES,
                () -> "jobs that are not over: " + openJobs(),
                () -> openJobs().isEmpty());
        inspect();
    }

    /** The accepted jobs that have not ended, as the backend shows them. */
    private List<String> openJobs() {
        return jobs.keySet().stream()
                .filter(accepted::contains)
                .map(id -> "/v1/jobs/" + id)
                .filter(path -> !isOver(state(path, "phase")))
                .map(this::shown)
                .toList();
    }

    private String shown(String path) {
        try {
            JsonNode job = client.get(path);
            String machine = job.path("machine").asText();
            return job + (machine.isEmpty() ? "" : " on " + client.get("/v1/machines/" + machine));
        } catch (BackendException failure) {
            return path + ": " + failure.getMessage();
        }
    }

    private static boolean isOver(String phase) {
        return List.of("SUCCEEDED", "FAILED", "CANCELLED").contains(phase);
    }

    private Map<String, String> states(List<String> ids, String path, String field) {
        return ids.stream()
                .filter(accepted::contains)
                .collect(Collectors.toMap(id -> id, id -> state(path + id, field), (one, other) -> one));
    }

    private String state(String path, String field) {
        try {
            return client.get(path).path(field).asText();
        } catch (BackendException failure) {
            return failure.code();
        }
    }

    private void end() {
        ask("pool", one -> one.put("/v1/pools/warm", Map.of("gpu", "any", "min", 0)));
        jobs.keySet().forEach(this::cancel);
        machines.keySet().forEach(this::stop);
        Await.until(() -> "requests without an answer: " + pending, pending::isEmpty);
        Await.until(
                () -> "machines: " + states(List.copyOf(machines.keySet()), "/v1/machines/", "state"),
                () -> machines.keySet().stream()
                        .filter(accepted::contains)
                        .allMatch(id -> state("/v1/machines/" + id, "state").equals("ENDED")));
        Await.until(
                () -> "machines that are left: "
                        + processes.machines().stream()
                                .map(FaultedProcesses::id)
                                .toList(),
                () -> processes.machines().isEmpty());
        Await.until(() -> "programs that live: " + runs.present(), () -> runs.present() == 0);
    }

    private void check() {
        inspect();
        machines.keySet().stream().filter(accepted::contains).forEach(this::checkBill);
        jobs.keySet().stream().filter(accepted::contains).forEach(id -> {
            String phase = state("/v1/jobs/" + id, "phase");
            require(
                    !phase.equals("SUCCEEDED") || runs.hasFinished(id),
                    "a job that succeeded has run",
                    id + " is " + phase + " and no run of it ended with 0");
        });
        JsonNode failures = client.get("/v1/failures").path("items");
        require(failures.isEmpty(), "no row fails", failures.toString());
    }

    private void checkBill(String id) {
        List<UsageInterval> computed = Ledger.usages(events(id)).stream()
                .filter(usage -> !usage.to().equals(Optional.of(usage.from())))
                .toList();
        List<UsageInterval> charged = new ArrayList<>();
        client.get("/v1/usage/" + id).path("items").forEach(item -> charged.add(usage(item)));
        require(computed.equals(charged), "bills are what events say", id + ": " + charged + " and " + computed);
        long seconds = charged.stream()
                .mapToLong(usage ->
                        Duration.between(usage.from(), usage.to().orElseThrow()).toSeconds())
                .sum();
        long lived = Duration.between(machines.get(id), Instant.now()).toSeconds() + HOUR * clockHours;
        require(seconds <= lived, "no charge for what was not there", id + " is charged for " + seconds + " s");
    }

    private List<MachineEvent> events(String id) {
        List<MachineEvent> events = new ArrayList<>();
        client.get("/v1/machines/" + id + "/events?limit=500")
                .path("items")
                .forEach(event -> events.add(new MachineEvent(
                        EventType.valueOf(event.path("type").asText()),
                        Instant.parse(event.path("at").asText()),
                        Phase.valueOf(event.path("phase").asText()),
                        event.path("text").asText())));
        return events;
    }

    private static UsageInterval usage(JsonNode item) {
        return new UsageInterval(
                Instant.parse(item.path("from").asText()),
                Optional.of(Instant.parse(item.path("to").asText())),
                item.path("began").asText(),
                Optional.of(item.path("ended").asText()));
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        processes.close();
        requests.close();
        runs.close();
    }
}
