package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.GpuAvailability;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.cluster.ClusterState;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A plan predicts the result of a start: both are compared over random hosts, quotas, budgets, pools and machines. */
class PlanAndStartTest {
    private static final long SEED = 47;
    private static final int REQUESTS = 4;
    private static final List<String> KINDS = List.of("A100-40GB", "A100-80GB", "L4", "H100");
    private static final List<String> ASKED = List.of("any", "A100", "A100-80GB", "L4", "H100", "B200");
    private static final List<String> PROJECTS = List.of("vision", "speech");
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final Random random = new Random(SEED);
    private int started;
    private int refused;
    private int waiting;

    /** Simulated hosts, which refuse kinds of GPU that they lack, and may not answer. */
    private static final class Hosts implements FleetProvider {
        private final FleetProvider paper;
        private final Set<String> silent = new HashSet<>();

        Hosts(FleetProvider paper) {
            this.paper = paper;
        }

        @Override
        public String name() {
            return paper.name();
        }

        @Override
        public MachineFleet open(String installation, Map<String, String> options) {
            MachineFleet fleet = paper.open(installation, Map.of());
            String host = options.get("host");
            Set<String> kinds = Set.of(options.get("kinds").split(","));
            return (MachineFleet) Proxy.newProxyInstance(
                    MachineFleet.class.getClassLoader(), new Class<?>[] {MachineFleet.class}, (proxy, method, args) -> {
                        if (args != null && args[0] instanceof DesiredMachine machine) {
                            requireKind(host, kinds, machine.gpu().name());
                        }
                        if (silent.contains(host) && !method.getName().equals("validate")) {
                            throw new FleetException(FleetException.Kind.UNAVAILABLE, host + " is silent");
                        }
                        try {
                            return method.invoke(fleet, args);
                        } catch (InvocationTargetException failure) {
                            throw failure.getCause();
                        }
                    });
        }

        private static void requireKind(String host, Set<String> kinds, String asked) {
            if (!asked.equals("any")
                    && kinds.stream().noneMatch(kind -> kind.equals(asked) || kind.startsWith(asked))) {
                throw new IllegalArgumentException("no " + asked + " on " + host);
            }
        }
    }

    /** One random state. */
    private final class Scene implements AutoCloseable {
        private final TestDatabase test = TestDatabase.create().withProjects(PROJECTS.toArray(String[]::new));
        private final Hosts hosts = new Hosts(new PaperSupplier(new DatabaseClock(test.database()), true));
        private final Backend backend = new Backend(test.source(), hosts);
        private final FreeGpus gpus =
                new FreeGpus(backend.database, new Suppliers("test", List.of(hosts)), GpuCatalogue.standard(), () -> 0);

        Scene() {
            int count = 1 + random.nextInt(3);
            for (int host = 0; host < count; host++) {
                addHost("host-" + host);
            }
            if (random.nextBoolean()) {
                addPool();
            }
            KINDS.forEach(kind -> price(kind, random.nextInt(4)));
            for (int machine = random.nextInt(5); machine > 0; machine--) {
                take(request());
            }
            settle();
            for (int limit = random.nextInt(3); limit > 0; limit--) {
                addLimit();
            }
            if (random.nextInt(3) == 0) {
                addBudget();
            }
            for (int host = 0; host < count; host++) {
                upset("host-" + host);
            }
        }

        private void addHost(String name) {
            List<String> kinds =
                    KINDS.stream().filter(kind -> random.nextBoolean()).toList();
            List<String> there = kinds.isEmpty() ? List.of("L4") : kinds;
            // A cluster without a list accepts every kind.
            List<String> listed = random.nextInt(3) == 0 ? List.of() : there;
            backend.database.run(sql -> ClusterRows.add(
                    sql,
                    ClusterRows.Stored.active(
                            name,
                            "paper",
                            listed,
                            OptionalInt.of(random.nextInt(4)),
                            Map.of("host", name, "kinds", String.join(",", there)))));
        }

        private void addPool() {
            String gpu = random.nextBoolean() ? "L4" : "A100-80GB";
            backend.database.run(sql -> PoolRows.insert(
                    sql,
                    new Pool("warm", 1, gpu, 1, 1, Duration.ZERO, LEASE, false, 0, Optional.empty(), sql.now(), ""),
                    sql.now()));
            backend.pools.round();
            settle();
        }

        private void price(String gpu, long nanosPerSecond) {
            backend.database.run(sql -> UsageRows.set(sql, new Price(gpu, Instant.EPOCH, nanosPerSecond)));
        }

        private void addLimit() {
            boolean isOfProject = random.nextBoolean();
            Optional<String> gpu = random.nextBoolean()
                    ? Optional.empty()
                    : Optional.of(List.of("A100", "L4", "H100").get(random.nextInt(3)));
            backend.database.run(sql -> QuotaRows.set(
                    sql,
                    "acme",
                    isOfProject ? Optional.of(PROJECTS.getFirst()) : Optional.empty(),
                    new QuotaLimit(
                            isOfProject ? QuotaScope.PROJECT : QuotaScope.ORGANISATION,
                            random.nextBoolean() ? QuotaResource.GPUS : QuotaResource.MACHINES,
                            gpu,
                            random.nextInt(4)),
                    Optional.empty()));
        }

        private void addBudget() {
            long cap = 3600L * random.nextInt(12);
            backend.database.run(sql -> BudgetRows.set(
                    sql,
                    new Budget(
                            "acme",
                            random.nextBoolean() ? Optional.of(PROJECTS.getFirst()) : Optional.empty(),
                            Optional.empty(),
                            BudgetPeriod.MONTH,
                            cap,
                            List.of(new BudgetThreshold(100, BudgetAction.REFUSE))),
                    Optional.empty()));
        }

        private void upset(String host) {
            switch (random.nextInt(8)) {
                case 0 -> backend.setState(host, ClusterState.CORDONED);
                case 1 -> backend.setState(host, ClusterState.DRAINING);
                case 2 -> {
                    hosts.silent.add(host);
                    backend.database.run(sql -> ClusterRows.unobserved(sql, host, "it does not answer"));
                }
                case 3 -> hosts.silent.add(host);
                default -> {}
            }
        }

        /** Runs the loops until they have nothing more to do. */
        void settle() {
            for (int round = 0; round < 3; round++) {
                test.advance(Duration.ofSeconds(2));
                backend.admission.admit();
                backend.drive();
                backend.drive();
            }
        }

        Decision decide(Request request) {
            return backend.database.transact(sql -> backend.machineCreation.decide(sql, request, "key"));
        }

        Optional<GpuAvailability> asked(Decision decision, Request request) {
            return gpus.of(decision, request);
        }

        /** Accepts a request as the API does. Returns its id; empty if it is refused. */
        Optional<UUID> take(Request request) {
            UUID id = new UUID(random.nextLong(), random.nextLong());
            return backend.database.transact(sql -> {
                if (!(backend.machineCreation.take(sql, id, request, "key") instanceof MachineCreation.Answer.Taken)) {
                    return Optional.empty();
                }
                backend.machineCreation.claim(sql, MachineRows.lock(sql, id).orElseThrow());
                return Optional.of(id);
            });
        }

        @Override
        public void close() {
            test.close();
        }
    }

    private Request request() {
        boolean isClients = random.nextBoolean();
        return new Request(
                "acme",
                PROJECTS.get(random.nextInt(PROJECTS.size())),
                "ada",
                ASKED.get(random.nextInt(ASKED.size())),
                1,
                1,
                isClients ? Optional.empty() : Optional.of(Duration.ofHours(2)),
                isClients ? Optional.of(LEASE) : Optional.empty(),
                Optional.empty());
    }

    @Test
    void planSaysWhatTheStartDoes() {
        compare(12);
    }

    @Test
    @Tag("full")
    void planSaysWhatTheStartDoesInManyStates() {
        compare(60);
    }

    private void compare(int states) {
        for (int state = 0; state < states; state++) {
            try (Scene scene = new Scene()) {
                for (int one = 0; one < REQUESTS; one++) {
                    scene.settle();
                    compare(scene, request(), "seed " + SEED + ", state " + state + ", request " + one);
                }
            }
        }
        assertTrue(
                Stream.of(started, refused, waiting).allMatch(count -> count > states / 4),
                () -> "too few cases: " + started + " started, " + refused + " refused, " + waiting + " waiting");
    }

    private void compare(Scene scene, Request request, String which) {
        Decision decision = scene.decide(request);
        Optional<GpuAvailability> asked = scene.asked(decision, request);
        boolean isPlanned = decision instanceof Decision.Starts
                && asked.map(GpuAvailability::isFree).orElse(true);
        Optional<UUID> taken = scene.take(request);
        scene.settle();
        Optional<Machine> machine = taken.map(scene.backend::machine);
        String all = which + ": " + request + "\nplan: " + decision
                + asked.map(told -> ", " + told).orElse("") + "\nstart: "
                + machine.map(Machine::toString).orElse("refused");
        assertEquals(decision.isRefused(), taken.isEmpty(), all);
        boolean isThere = machine.filter(row -> row.phase() != Phase.ENDED)
                .filter(row -> row.address().isPresent())
                .isPresent();
        assertEquals(isPlanned, isThere, all);
        if (decision instanceof Decision.Starts start && isPlanned) {
            assertEquals(Optional.of(start.cluster()), machine.orElseThrow().cluster(), all);
            assertEquals(start.kind(), machine.orElseThrow().gpu(), all);
        }
        if (decision instanceof Decision.Waits waits) {
            assertEquals(waits.phase() == Phase.QUOTA, machine.orElseThrow().phase() == Phase.QUOTA, all);
        }
        started += isThere ? 1 : 0;
        refused += taken.isEmpty() || machine.orElseThrow().phase() == Phase.ENDED ? 1 : 0;
        waiting +=
                machine.filter(row -> row.phase().state() == Phase.State.QUEUED).isPresent() ? 1 : 0;
    }
}
