package dev.outpost.backend.faults;

import dev.outpost.backend.fleet.Backend;
import dev.outpost.backend.fleet.MachineCreation;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.model.deployment.Replica.Use;
import dev.outpost.backend.model.deployment.Scale;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobObservation;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.DeploymentRows.Key;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.deployment.ReplicaRows.Ordered;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.rest.deployment.ReplicaState;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The clients, and the gateway of the deployments. A client repeats a request with the same id until it gets an answer. Requests have the
 * same effect as those to the API.
 */
final class SimulatedClients {
    private static final String PROGRAM = "ab".repeat(32);
    private static final String POOL = "warm";
    private static final String GATEWAY = "gw-1";
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration LONGEST_JOB = Duration.ofHours(2);
    private static final int PERCENT = 100;

    /** A client of one machine. */
    private static final class Client {
        private final UUID machine;
        private final String organisation;
        private final String token;
        private boolean isThere = true;

        private Client(UUID machine, String organisation) {
            this.machine = machine;
            this.organisation = organisation;
            this.token = (machine.toString().replace("-", "")).repeat(2);
        }
    }

    private final World world;

    /** Requests that have no answer yet. */
    private final List<Predicate<Backend>> pending = new ArrayList<>();

    private final List<Client> clients = new ArrayList<>();
    private final Map<String, Client> byToken = new LinkedHashMap<>();
    private final List<UUID> jobs = new ArrayList<>();
    private final Map<UUID, SimulatedJobRunner.Program> programs = new LinkedHashMap<>();
    private final List<Key> deployments = new ArrayList<>();
    private final Map<Key, Integer> demands = new LinkedHashMap<>();
    private final Map<Key, List<Ordered>> orders = new LinkedHashMap<>();
    private final Map<String, Budget> budgets = new LinkedHashMap<>();

    SimulatedClients(World world, Hosts hosts) {
        this.world = world;
    }

    Optional<String> organisationOf(String token) {
        return Optional.ofNullable(byToken.get(token)).map(client -> client.organisation);
    }

    boolean isUsing(String token) {
        return Optional.ofNullable(byToken.get(token))
                .filter(client -> client.isThere)
                .isPresent();
    }

    /** Returns true if the gateway sends requests to the machine, according to its last orders. */
    boolean isServing(UUID machine) {
        return orders.values().stream()
                .flatMap(List::stream)
                .anyMatch(one -> one.machine().equals(machine));
    }

    SimulatedJobRunner.Program program(UUID job) {
        return programs.get(job);
    }

    List<Budget> budgets() {
        return List.copyOf(budgets.values());
    }

    /** Repeats requests without an answer, and lets the gateway report. */
    void act() {
        if (world.hasReplica()) {
            List.copyOf(pending).forEach(this::ask);
            List.copyOf(deployments).forEach(this::report);
        }
    }

    private void ask(Predicate<Backend> request) {
        if (!pending.contains(request)) {
            pending.add(request);
        }
        if (world.call(request::test).isPresent()) {
            pending.remove(request);
        }
    }

    // ---- machines

    void start(HistoryStep.Start step) {
        String organisation = World.ORGANISATIONS.get(step.organisation());
        Client client = new Client(world.draw(), organisation);
        Request request = new Request(
                organisation,
                World.PROJECT,
                "ada",
                World.GPU,
                1,
                1,
                Optional.of(step.lifeMinutes()).filter(minutes -> minutes > 0).map(Duration::ofMinutes),
                step.isWarm() ? Optional.of(LEASE) : Optional.of(LEASE.multipliedBy(2)),
                Optional.empty());
        clients.add(client);
        byToken.put(client.token, client);
        ask(backend -> {
            if (backend.database.transact(sql -> put(backend, sql, client, request))) {
                world.record(new Happening.Accepted(client.machine));
            } else {
                client.isThere = false;
            }
            return true;
        });
    }

    /** Creates the machine of a client if there is none yet, and returns whether it exists then. */
    private static boolean put(Backend backend, Sql sql, Client client, Request request) {
        if (MachineRows.find(sql, client.machine).isPresent()) {
            return true;
        }
        MachineCreation.Answer answer =
                backend.machineCreation.take(sql, client.machine, request, key(client.organisation));
        if (!(answer instanceof MachineCreation.Answer.Taken)) {
            return false;
        }
        GrantRows.add(sql, client.machine, client.token, request.owner(), GrantTerms.ALL);
        backend.machines.apply(sql, client.machine, new Observation.GrantsChanged());
        Machine row = MachineRows.lock(sql, client.machine).orElseThrow();
        backend.machineCreation.claim(sql, row);
        return true;
    }

    private static String key(String organisation) {
        return "key-" + organisation;
    }

    void stop(HistoryStep.Stop step) {
        World.pick(clients, step.machine()).ifPresent(this::stop);
    }

    private void stop(Client client) {
        client.isThere = false;
        ask(backend -> {
            boolean isEnded = backend.database.transact(sql -> backend.machines
                    .apply(sql, client.machine, new Observation.EndAsked("ada asked for it"))
                    .isPresent());
            if (isEnded) {
                world.record(new Happening.EndAccepted(client.machine));
            }
            return true;
        });
    }

    void leave(HistoryStep.Leave step) {
        World.pick(clients, step.machine()).ifPresent(client -> client.isThere = false);
    }

    // ---- jobs

    void submit(HistoryStep.Submit step) {
        UUID id = world.draw();
        String organisation = World.ORGANISATIONS.get(step.organisation());
        programs.put(id, new SimulatedJobRunner.Program(Duration.ofSeconds(step.seconds()), step.code()));
        jobs.add(id);
        JobSpec spec = new JobSpec(
                organisation,
                World.PROJECT,
                "ada",
                key(organisation),
                "train",
                World.GPU,
                PROGRAM,
                "app.jar",
                List.of(),
                Map.of(),
                List.of(),
                step.retries(),
                LONGEST_JOB);
        ask(backend -> {
            backend.database.run(sql -> {
                addProgram(sql, organisation);
                JobRows.insert(sql, Job.created(id, spec, sql.now()));
            });
            world.record(new Happening.Accepted(id));
            return true;
        });
    }

    private static void addProgram(Sql sql, String organisation) {
        if (FileRows.find(sql, organisation, PROGRAM).isEmpty()) {
            FileRows.Stored file = FileRows.make(sql, organisation, PROGRAM, 1);
            ContentRows.append(sql, file.content(), 0, new byte[1]);
            FileRows.complete(sql, organisation, PROGRAM);
        }
    }

    void cancel(HistoryStep.Cancel step) {
        World.pick(jobs, step.job()).ifPresent(this::cancel);
    }

    private void cancel(UUID job) {
        ask(backend -> {
            boolean isAsked = backend.database.transact(sql -> JobRows.lock(sql, job)
                    .map(row -> backend.jobs.apply(sql, row, new JobObservation.CancelAsked("ada")))
                    .isPresent());
            if (isAsked) {
                world.record(new Happening.EndAccepted(job));
            }
            return true;
        });
    }

    // ---- deployments

    void deploy(HistoryStep.Deploy step) {
        Key key = new Key(World.ORGANISATIONS.get(step.organisation()), "chat-" + deployments.size());
        deployments.add(key);
        ask(backend -> {
            backend.database.run(sql -> {
                Deployment made = Deployment.created(
                        key.organisation(),
                        World.PROJECT,
                        key.name(),
                        new Scale(1, step.max(), 1, Duration.ofMinutes(5)),
                        sql.now());
                if (DeploymentRows.insert(sql, made, sql.now())) {
                    DeploymentRows.addRevision(
                            sql, key, "file:/model", World.GPU, Optional.empty(), key(key.organisation()));
                }
            });
            return true;
        });
    }

    void demand(HistoryStep.Demand step) {
        World.pick(deployments, step.deployment()).ifPresent(key -> demands.put(key, step.requests()));
    }

    void undeploy(HistoryStep.Undeploy step) {
        World.pick(deployments, step.deployment()).ifPresent(this::undeploy);
    }

    private void undeploy(Key key) {
        demands.put(key, 0);
        ask(backend -> {
            backend.database.run(sql -> DeploymentRows.lock(sql, key)
                    .filter(row -> !row.isRemoved())
                    .ifPresent(row -> DeploymentRows.update(sql, row.removed(), sql.now())));
            return true;
        });
    }

    /** Lets the gateway report requests on all serving replicas, and receive its orders. */
    private void report(Key key) {
        world.call(backend -> backend.database.transact(sql -> {
                    List<Ordered> known = orders.getOrDefault(key, List.of());
                    int demand = demands.getOrDefault(key, 0);
                    DeploymentRows.lock(sql, key).ifPresent(row -> {
                        ReplicaRows.demand(sql, key, GATEWAY, Math.max(0, demand - known.size()), sql.now());
                        known.stream()
                                .filter(one -> one.phase() == Phase.READY)
                                .forEach(one -> ReplicaRows.report(sql, one.machine(), use(sql, one, demand)));
                        DeploymentRows.update(sql, row, sql.now());
                    });
                    return ReplicaRows.ordered(sql, key.organisation()).getOrDefault(key.name(), List.of());
                }))
                .ifPresent(heard -> orders.put(key, heard));
    }

    private static Use use(Sql sql, Ordered one, int demand) {
        ReplicaState state = one.isDraining() ? ReplicaState.DRAINED : ReplicaState.SERVING;
        return new Use(GATEWAY, state, one.isDraining() ? 0 : Math.min(1, demand), 0, "", sql.now());
    }

    // ---- budgets and pools

    void setBudget(HistoryStep.SetBudget step) {
        String organisation = World.ORGANISATIONS.get(step.organisation());
        Budget budget = new Budget(
                organisation,
                Optional.empty(),
                Optional.empty(),
                BudgetPeriod.LIFETIME,
                World.RATE * Duration.ofMinutes(step.minutes()).toSeconds(),
                List.of(new BudgetThreshold(PERCENT, BudgetAction.END)));
        // The backend must keep only those budgets whose creation it confirmed to the client.
        budgets.remove(organisation);
        world.call(backend -> {
                    backend.database.run(sql -> {
                        if (step.minutes() == 0) {
                            BudgetRows.remove(sql, budget, Optional.empty());
                        } else {
                            BudgetRows.set(sql, budget, Optional.empty());
                        }
                    });
                    return true;
                })
                .filter(answered -> step.minutes() > 0)
                .ifPresent(answered -> {
                    budgets.put(organisation, budget);
                    Happening.Spent spent = world.database().transact(sql -> World.spent(sql, budget, false));
                    world.record(
                            new Happening.BudgetSet(organisation, budget.capNanos(), spent.nanos(), spent.machines()));
                });
    }

    void setPool(HistoryStep.SetPool step) {
        ask(backend -> {
            backend.database.run(sql -> {
                PoolRows.insert(sql, pool(sql, step.size()), sql.now());
                PoolRows.lock(sql, POOL).ifPresent(row -> PoolRows.update(sql, pool(sql, step.size()), sql.now()));
            });
            return true;
        });
    }

    private static Pool pool(Sql sql, int size) {
        return new Pool(
                POOL,
                1,
                World.GPU,
                size,
                Math.max(1, size),
                Duration.ZERO,
                LEASE,
                false,
                0,
                Optional.empty(),
                sql.now(),
                "made");
    }

    // ---- the end

    /** Ends the load of all deployments. */
    void rest() {
        demands.clear();
    }

    /** Lets clients end all their machines, jobs and deployments. */
    void endAll() {
        Set<UUID> ended = new HashSet<>();
        clients.stream().filter(client -> ended.add(client.machine)).forEach(this::stop);
        jobs.forEach(this::cancel);
        deployments.forEach(this::undeploy);
        setPool(new HistoryStep.SetPool(0));
    }
}
