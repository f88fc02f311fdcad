package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.QuotaRecount;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Quotas, budgets and bills depend on the GPU that a machine got, whatever name the request used. */
class KindsTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Backend backend =
            new Backend(test.source(), new PaperSupplier(new DatabaseClock(test.database()), true));

    @AfterEach
    void close() {
        test.close();
    }

    private UUID ask(String gpu) {
        test.advance(Duration.ofMillis(1));
        return MachineRequestFixtures.create(
                backend.database, backend.machines, MachineRequestFixtures.of("vision", gpu));
    }

    private void limit(String gpu, long allowed) {
        backend.database.run(sql -> QuotaRows.set(
                sql,
                "acme",
                Optional.empty(),
                new QuotaLimit(QuotaScope.ORGANISATION, QuotaResource.GPUS, Optional.of(gpu), allowed),
                Optional.empty()));
    }

    private void price(String gpu, long nanosPerSecond) {
        backend.database.run(sql -> UsageRows.set(sql, new Price(gpu, Instant.EPOCH, nanosPerSecond)));
    }

    private long used(String gpu) {
        return backend.database.transact(sql -> QuotaRows.used(
                sql,
                "acme",
                Optional.empty(),
                new QuotaLimit(QuotaScope.ORGANISATION, QuotaResource.GPUS, Optional.of(gpu), 1),
                sql.now()));
    }

    private long rate(String gpu) {
        return backend.database.transact(sql -> BudgetRows.rate(sql, gpu, 1, sql.now()));
    }

    private void assertCountersEqualARecount() {
        List<QuotaRows.Counter> counters = backend.database.transact(QuotaRows::counters);
        assertEquals(backend.database.transact(QuotaRecount::of), counters);
    }

    @Test
    void anyIsPlacedOnlyOnKindsWithQuotaLeft() {
        backend.addCluster("host", 4, "A100", "L4");
        limit("A100", 0);
        limit("L4", 1);
        price("A100", 1);
        price("L4", 5);
        UUID first = ask("any");
        UUID second = ask("any");
        backend.round();
        assertEquals(Optional.of("L4"), backend.machine(first).kind());
        assertEquals(Phase.State.QUEUED, backend.machine(second).phase().state());
        assertTrue(backend.machine(second).text().contains("quota organisation/gpus:"), backend.machine(second)::text);
        assertEquals(1, used("L4"));
        assertEquals(0, used("A100"));
        assertCountersEqualARecount();
        backend.end(first);
        backend.round();
        backend.round();
        assertEquals(Optional.of("L4"), backend.machine(second).kind());
        assertCountersEqualARecount();
    }

    @Test
    void theCheapestKindIsGiven() {
        backend.addCluster("host", 4, "A100", "L4");
        price("A100", 9);
        price("L4", 5);
        UUID id = ask("any");
        backend.round();
        assertEquals(Optional.of("L4"), backend.machine(id).kind());
    }

    @Test
    void billGoesByTheKindThatWasGiven() {
        backend.addCluster("host", 4, "A100");
        price("A100", 7);
        UUID id = ask("any");
        backend.round();
        assertEquals(Phase.READY, backend.machine(id).phase());
        assertEquals(
                "A100",
                backend.database
                        .transact(sql -> UsageRows.ofMachine(sql, id))
                        .getFirst()
                        .gpu());
    }

    @Test
    void aVariantCountsForItsFamily() {
        backend.addCluster("host", 4, "A100-80GB");
        limit("A100", 1);
        UUID first = ask("A100-80GB");
        UUID second = ask("A100-80GB");
        UUID third = ask("A100");
        backend.round();
        assertEquals(Phase.READY, backend.machine(first).phase());
        assertEquals(Phase.QUOTA, backend.machine(second).phase());
        assertEquals(Phase.QUOTA, backend.machine(third).phase());
        assertEquals(1, used("A100"));
    }

    @Test
    void aFamilyIsGivenItsVariantAndCostsAsMuch() {
        backend.addCluster("host", 4, "A100-80GB");
        price("A100", 7);
        UUID id = ask("A100");
        backend.round();
        assertEquals(Optional.of("A100-80GB"), backend.machine(id).kind());
        assertEquals(7, rate("A100-80GB"));
        assertCountersEqualARecount();
    }

    @Test
    void budgetHoldsThePriceOfTheDearestPossibleKind() {
        backend.addCluster("host", 0, "A100", "L4");
        price("A100", 9);
        price("L4", 5);
        ask("any");
        assertEquals(
                9,
                backend.database
                        .transact(sql -> BudgetRows.live(sql, "acme", sql.now()))
                        .getFirst()
                        .rate());
        assertEquals(9, rate("any"));
    }

    /** The kinds of the cluster are not known, so it may give a kind that a quota excludes. */
    @Test
    void clusterWithoutAListOfKindsGivesAnyOnlyIfEachKindHasQuota() {
        backend.addCluster("host", 4);
        limit("A100", 0);
        price("A100", 9);
        UUID id = ask("any");
        backend.round();
        assertEquals(Phase.State.QUEUED, backend.machine(id).phase().state());
        limit("A100", 1);
        backend.round();
        assertEquals(Phase.READY, backend.machine(id).phase());
        assertEquals(9, rate("any"));
    }
}
