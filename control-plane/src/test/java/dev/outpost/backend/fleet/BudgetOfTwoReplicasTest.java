package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two replicas that get requests for machines at the same time, under one budget and one breaker. */
class BudgetOfTwoReplicasTest {
    private static final String GPU = "A100";
    private static final String KEY = "k1";
    private static final Duration HORIZON = Duration.ofMinutes(4);
    private static final long RATE = 1_000;
    private static final int FITTING = 3;
    private static final int ASKED = 16;

    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
    private final List<Backend> replicas =
            List.of(new Backend(test.source(), supplier), new Backend(test.source(), supplier));

    @AfterEach
    void close() {
        test.close();
    }

    private static Budgets budgets(Backend replica) {
        return new Budgets(replica.database, replica.machines, new Wakeups(), HORIZON, Duration.ofMinutes(1), 20);
    }

    /** Returns true if the machine exists now. */
    private static boolean ask(Backend replica) {
        Request request = new Request(
                "acme",
                "vision",
                "ada",
                GPU,
                1,
                1,
                Optional.empty(),
                Optional.of(Duration.ofMinutes(1)),
                Optional.empty());
        return replica.database.transact(sql -> {
            if (budgets(replica).check(sql, request, KEY).isPresent()) {
                return false;
            }
            UUID id = UUID.randomUUID();
            replica.machines.create(sql, Machine.queued(id, request, Phase.POSITION, "it waits", sql.now()));
            budgets(replica).begin(sql, id, request, KEY);
            return true;
        });
    }

    @Test
    void noMoreMachinesAreMadeAtOnceThanTheBudgetHolds() throws Exception {
        test.database().run(sql -> {
            UsageRows.set(sql, new Price(GPU, Instant.EPOCH, RATE));
            BudgetRows.set(
                    sql,
                    new Budget(
                            "acme",
                            Optional.empty(),
                            Optional.of(KEY),
                            BudgetPeriod.LIFETIME,
                            FITTING * RATE * HORIZON.toSeconds() + RATE,
                            List.of(new BudgetThreshold(100, BudgetAction.END))),
                    Optional.empty());
        });
        CountDownLatch together = new CountDownLatch(1);
        List<Future<Boolean>> asked = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < ASKED; i++) {
                Backend replica = replicas.get(i % replicas.size());
                asked.add(threads.submit(() -> {
                    together.await();
                    return ask(replica);
                }));
            }
            together.countDown();
        }
        int made = 0;
        for (Future<Boolean> one : asked) {
            made += one.get() ? 1 : 0;
        }
        assertEquals(FITTING, made);
    }

    @Test
    void failuresAtOneReplicaCountAtTheOther() {
        replicas.getFirst().addCluster("host", 4);
        List<UUID> failed = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            failed.add(MachineRequestFixtures.create(
                    replicas.getFirst().database,
                    replicas.getFirst().machines,
                    MachineRequestFixtures.of("vision", GPU)));
        }
        replicas.getFirst().round();
        failed.forEach(id -> supplier.fail(new MachineRef(id.toString(), 1), EndCause.FAILED, "it crashed"));
        replicas.getFirst().round();
        failed.forEach(id -> assertEquals(
                Optional.of(EndReason.FAILED), replicas.getLast().machine(id).endReason()));
        int seen = replicas.getLast()
                .database
                .transact(sql -> MachineRows.failures(
                        sql, MachineRequestFixtures.of("vision", GPU), sql.now().minus(Duration.ofMinutes(10)), 20));
        assertEquals(4, seen);
    }
}
