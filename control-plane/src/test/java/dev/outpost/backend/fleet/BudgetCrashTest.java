package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A machine runs under a budget, and the backend is killed at each point between a commit and a call. Without another replica, the
 * machine's grants end it before more than the cap is spent. With another replica it ends too, and nothing is left of it.
 */
class BudgetCrashTest {
    private static final String TOKEN = "ab".repeat(32);
    private static final String GPU = "A100";
    private static final long RATE = 1_000;
    private static final Duration HORIZON = Duration.ofMinutes(4);
    private static final Duration EVERY = Duration.ofMinutes(1);

    /** The costs of 6 minutes. */
    private static final long CAP = RATE * 6 * 60;

    private static final int MAX_POINTS = 600;
    private static final int MIN_POINTS = 30;
    private static final int ROUNDS = 3;
    private static final int LAST_ROUNDS = 8;

    @Test
    @Tag("full")
    void noKillLetsMoreBeSpentThanTheCap() {
        int points = 0;
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            test.database().run(sql -> UsageRows.set(sql, new Price(GPU, Instant.EPOCH, RATE)));
            while (points < MAX_POINTS && liveWithCrash(test, points + 1)) {
                points++;
            }
        }
        assertTrue(points > MIN_POINTS && points < MAX_POINTS, points + " points were reached");
    }

    /** Returns true if that point was reached. */
    private static boolean liveWithCrash(TestDatabase test, int fatal) {
        PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
        CrashPoints points = new CrashPoints(fatal);
        Backend doomed = new Backend(points.source(test.source()), points.provider(supplier));
        Backend next = new Backend(test.source(), supplier);
        next.addCluster("host", 4);
        UUID id = UUID.randomUUID();
        String key = "k" + fatal;
        Budget budget = new Budget(
                "acme",
                Optional.empty(),
                Optional.of(key),
                BudgetPeriod.LIFETIME,
                CAP,
                List.of(new BudgetThreshold(100, BudgetAction.END)));
        next.database.run(sql -> BudgetRows.set(sql, budget, Optional.empty()));
        boolean isKilled = Crash.isKilled(() -> {
            ask(doomed, id, key);
            doomed.round();
            for (int round = 0; round < ROUNDS; round++) {
                test.advance(EVERY);
                budgets(doomed).round();
                doomed.round();
            }
        });
        checkGrants(next, supplier, budget, id, points.last());
        finish(test, next, id, budget, points.last());
        next.database.run(sql -> BudgetRows.remove(sql, budget, Optional.empty()));
        assertEquals(List.of(), supplier.open("test", Map.of()).list(), points.last());
        return isKilled;
    }

    private static Budgets budgets(Backend backend) {
        return new Budgets(backend.database, backend.machines, new Wakeups(), HORIZON, EVERY, 20);
    }

    private static void ask(Backend backend, UUID id, String key) {
        Request request =
                new Request("acme", "vision", "ada", GPU, 1, 1, Optional.empty(), Optional.of(EVERY), Optional.empty());
        backend.database.run(sql -> {
            assertEquals(Optional.empty(), budgets(backend).check(sql, request, key));
            Machine machine = Machine.queued(id, request, Phase.POSITION, "it waits", sql.now());
            if (backend.machines.create(sql, machine)) {
                budgets(backend).begin(sql, id, request, key);
                GrantRows.add(sql, id, TOKEN, "ada", GrantTerms.ALL);
                backend.machines.apply(sql, id, new Observation.GrantsChanged());
            }
        });
    }

    /** Checks that without a backend the machine's grants would end its sessions and with them its costs. */
    private static void checkGrants(Backend next, PaperSupplier supplier, Budget budget, UUID id, String where) {
        MachineRef ref = new MachineRef(id.toString(), 1);
        boolean isThere = supplier.open("test", Map.of()).list().stream()
                .anyMatch(observation -> observation.machine().equals(ref));
        if (!isThere) {
            return;
        }
        Collection<Grant> grants = supplier.grants(ref);
        Instant now = next.database.transact(sql -> sql.now());
        long spent = next.database.transact(sql -> BudgetRows.spent(sql, budget, now));
        for (Grant grant : grants) {
            Instant end = grant.terms().expires().orElseThrow(() -> new AssertionError("no end of a grant: " + where));
            long more = Math.max(0, Duration.between(now, end).toSeconds()) * RATE;
            assertTrue(spent + more <= CAP, () -> spent + " and " + more + " of " + CAP + ", killed " + where);
            assertTrue(!end.isAfter(now.plus(HORIZON)), where);
        }
    }

    /** Another replica continues: the machine ends before the cap is reached, and is not charged any more. */
    private static void finish(TestDatabase test, Backend next, UUID id, Budget budget, String where) {
        ask(test, next, id, budget);
        for (int round = 0; round < LAST_ROUNDS; round++) {
            test.advance(EVERY);
            budgets(next).round();
            next.round();
            Instant now = next.database.transact(sql -> sql.now());
            long spent = next.database.transact(sql -> BudgetRows.spent(sql, budget, now));
            assertTrue(spent <= CAP, () -> spent + " of " + CAP + ", killed " + where);
        }
        next.round();
        assertEquals(Phase.ENDED, next.machine(id).phase(), where);
    }

    /** The client repeats a request without an answer, unless the budget is used up by then. */
    private static void ask(TestDatabase test, Backend next, UUID id, Budget budget) {
        boolean isThere =
                test.database().transact(sql -> MachineRows.find(sql, id)).isPresent();
        if (!isThere) {
            ask(next, id, budget.key().orElseThrow());
        }
    }
}
