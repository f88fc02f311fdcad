package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.LifeSettings;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.cluster.ClusterState;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A request that can never start is refused at once. A request that cannot start now waits for a limited time, and takes nothing from
 * others.
 */
class ImpossibleRequestsTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Backend backend =
            new Backend(test.source(), new PaperSupplier(new DatabaseClock(test.database()), true));
    private final MachineCreation machineCreation = new MachineCreation(
            backend.machines,
            new Budgets(
                    backend.database, backend.machines, new Wakeups(), Duration.ofHours(1), Duration.ofSeconds(5), 20));

    @AfterEach
    void close() {
        test.close();
    }

    private MachineCreation.Answer take(UUID id, String gpu) {
        return backend.database.transact(
                sql -> machineCreation.take(sql, id, MachineRequestFixtures.of("vision", gpu), "key"));
    }

    @Test
    void kindThatNoClusterHasIsRefusedWithTheKindsThatThereAre() {
        backend.addCluster("one", 4, "A100");
        backend.addCluster("two", 4, "A100", "L4");
        MachineCreation.Answer.Refused refused =
                assertInstanceOf(MachineCreation.Answer.Refused.class, take(UUID.randomUUID(), "H100"));
        assertEquals(
                new Decision.Impossible("gpu: no cluster of this backend has H100; there are A100, L4"),
                refused.decision());
        assertEquals(List.of(), backend.database.transact(QuotaRows::counters), "it holds nothing");
    }

    @Test
    void kindOfAClusterThatIsFullCordonedOrAwayWaits() {
        backend.addCluster("full", 0, "A100");
        backend.addCluster("closed", 4, "L4");
        backend.setState("closed", ClusterState.CORDONED);
        backend.addCluster("away", 4, "H100");
        backend.database.run(sql -> ClusterRows.unobserved(sql, "away", "it does not answer"));
        for (String gpu : List.of("A100", "L4", "H100", "any")) {
            assertInstanceOf(MachineCreation.Answer.Taken.class, take(UUID.randomUUID(), gpu), gpu);
        }
    }

    @Test
    void requestIsGivenUpAfterTheLimitAndGivesItsQuotaBack() {
        backend.addCluster("full", 0, "A100");
        UUID id = UUID.randomUUID();
        take(id, "A100");
        backend.round();
        test.advance(LifeSettings.WAIT_LIMIT.minusSeconds(1));
        backend.round();
        assertEquals(Phase.CAPACITY, backend.machine(id).phase());
        test.advance(Duration.ofSeconds(1));
        backend.drive();
        assertEquals(Phase.ENDED, backend.machine(id).phase());
        assertEquals(Optional.of(EndReason.START_TIMEOUT), backend.machine(id).endReason());
        assertEquals(List.of(), backend.database.transact(QuotaRows::counters));
    }

    @Test
    void requestWhoseClusterWasRemovedIsRefused() {
        backend.addCluster("full", 0, "A100");
        backend.addCluster("other", 4, "L4");
        UUID id = UUID.randomUUID();
        take(id, "A100");
        backend.database.run(sql -> ClusterRows.remove(sql, "full"));
        backend.admission.admit();
        assertEquals(Phase.ENDED, backend.machine(id).phase());
        assertEquals(Optional.of(EndReason.REFUSED), backend.machine(id).endReason());
        assertEquals(List.of(), backend.database.transact(QuotaRows::counters));
    }

    /** A request that waits for one cluster does not empty a pool on another one. */
    @Test
    void poolGivesWayOnlyToRequestsThatItsRoomWouldServe() {
        backend.addCluster("warm", 2, "A100");
        backend.addCluster("full", 0, "L4");
        backend.database.run(sql -> PoolRows.insert(
                sql,
                new Pool(
                        "warm",
                        1,
                        "A100",
                        2,
                        2,
                        Duration.ZERO,
                        Duration.ofMinutes(1),
                        false,
                        0,
                        Optional.empty(),
                        sql.now(),
                        ""),
                sql.now()));
        fill();
        assertEquals(2, ready());
        take(UUID.randomUUID(), "L4");
        fill();
        assertEquals(2, ready());
        UUID served = UUID.randomUUID();
        take(served, "A100");
        fill();
        fill();
        fill();
        assertEquals(Phase.READY, backend.machine(served).phase());
    }

    private void fill() {
        test.advance(Duration.ofSeconds(2));
        backend.pools.round();
        backend.round();
    }

    private long ready() {
        return backend.database.transact(sql -> PoolRows.members(sql, "warm")).stream()
                .filter(member -> member.phase() == Phase.READY)
                .count();
    }
}
