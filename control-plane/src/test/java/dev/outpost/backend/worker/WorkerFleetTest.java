package dev.outpost.backend.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.support.tests.Await;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker host that connects, disconnects, returns, and is killed between any two steps; step by step, in the test's time. */
class WorkerFleetTest {
    private static final String HOST = "lab";
    private static final MachineRef MACHINE = new MachineRef("a", 1);
    private static final Grant GRANT = Grant.of("ab".repeat(32));
    private static final Duration LONG = WorkerFleet.AWAY.plusSeconds(1);

    private final TestDatabase test = TestDatabase.create();
    private final Database database = test.database();
    private final WorkerSignals signals = new WorkerSignals();
    private final SealKeys seals = new SealKeys(SealKeys.draw(new SecureRandom()), new SecureRandom());
    private final WorkerStateSync workerSync = new WorkerStateSync(database, "one", signals, seals);
    private final PaperSupplier paper = new PaperSupplier(() -> database.transact(sql -> sql.now()), true);
    private final MachineFleet fleet = fleet(Await.GUARD);
    private TestWorker worker = fresh();

    WorkerFleetTest() {
        database.run(sql -> {
            ClusterRows.add(sql, ClusterRows.Stored.active(HOST, "worker", List.of(), OptionalInt.empty(), Map.of()));
            WorkerRows.offer(sql, HOST, new byte[32], Duration.ofHours(1));
        });
    }

    @AfterEach
    void close() {
        test.close();
    }

    private MachineFleet fleet(Duration timeout) {
        return new WorkerFleet("one", HOST, database, signals, timeout);
    }

    private TestWorker fresh() {
        return new TestWorker(workerSync, HOST, paper.open("worker", Map.of()));
    }

    private void turn() {
        worker.turn(Duration.ZERO);
    }

    private MachineObservation only() {
        List<MachineObservation> list = fleet.list();
        assertEquals(1, list.size(), list::toString);
        return list.getFirst();
    }

    @Test
    void aMachineIsMadeWhenTheHostReadsItsOrders() {
        assertEquals(
                MachinePhase.SCHEDULING,
                fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT)).state());
        assertEquals("worker host lab is away", only().reason());
        turn();
        assertEquals(MachinePhase.READY, only().state());
        assertEquals(List.of(GRANT), List.copyOf(paper.grants(MACHINE)));
        fleet.end(MACHINE);
        assertEquals(MachinePhase.ENDING, only().state());
        turn();
        assertEquals(List.of(), fleet.list());
    }

    @Test
    void aHostThatIsNotHeardOfIsLostAndFound() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        turn();
        MachineObservation ready = only();
        test.advance(LONG);
        assertEquals(MachinePhase.UNREACHABLE, only().state());
        assertEquals("worker host lab was not heard of for 15 s", only().reason());
        assertEquals(ready.address(), only().address());
        turn();
        assertEquals(ready, only());
        assertEquals(1, paper.made());
    }

    /** The reports of the stopped host were only in its memory. */
    @Test
    void aHostThatIsStartedAgainFindsItsMachinesAndMakesNoneTwice() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        turn();
        MachineObservation ready = only();
        worker = fresh();
        turn();
        assertEquals(ready, only());
        assertEquals(1, paper.made());
    }

    @Test
    void aMachineThatWasMadeAndNotToldOfIsNotMadeAgain() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        // Simulates a kill between the two steps: the machine exists, and the backend does not know.
        paper.open("worker", Map.of()).ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        worker = fresh();
        turn();
        assertEquals(MachinePhase.READY, only().state());
        assertEquals(1, paper.made());
    }

    @Test
    void aMachineThatVanishedIsMissingAndNotMadeAgain() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        turn();
        paper.open("worker", Map.of()).end(MACHINE);
        turn();
        assertEquals(List.of(), fleet.list());
        worker = fresh();
        turn();
        assertEquals(1, paper.made());
        assertEquals(
                FleetException.Kind.NOT_FOUND,
                assertThrows(FleetException.class, () -> fleet.bind(MACHINE, GRANT))
                        .kind());
        fleet.end(MACHINE);
        turn();
        long left = database.transact(sql -> WorkerRows.version(sql, HOST));
        assertEquals(0, left, "nothing is left of it");
    }

    private boolean isAdopting() {
        return database.transact(sql -> ClusterRows.beginLook(sql, HOST))
                .orElseThrow()
                .isAdopting();
    }

    private void update(String statement) {
        database.run(sql -> sql.query(statement, row -> true));
    }

    /** Simulates the loss of the database's last seconds: the order is gone, but the machine exists. */
    @Test
    void aMachineWhoseOrderWasLostGoesOnAndIsFound() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        turn();
        assertFalse(isAdopting());
        update("WITH gone AS (DELETE FROM worker_machines RETURNING 1) SELECT 1 FROM gone");
        update("SELECT setval('worker_versions', 1, false)");
        assertEquals(List.of(), fleet.list());
        turn();
        turn();
        assertEquals(MachinePhase.READY, only().state());
        assertEquals(MACHINE, only().machine());
        assertTrue(isAdopting(), "the observer takes it in by its labels");
        assertEquals(1, paper.made());
        fleet.end(MACHINE);
        turn();
        assertEquals(List.of(), fleet.list());
        assertEquals(List.of(), paper.open("worker", Map.of()).list());
    }

    private static final Map<String, String> ACME = Map.of("organisation", "acme", "project", "vision");

    private static WorkerStateSync.Present found(MachineRef machine, String gpu, Map<String, String> labels) {
        return new WorkerStateSync.Present(
                machine,
                1,
                new WorkerRows.Said(
                        MachinePhase.STARTING, "it starts", Optional.empty(), Optional.empty(), TestDatabase.START),
                Optional.of(new WorkerStateSync.Found(gpu, labels)));
    }

    /** A host that is not the operator's must not bill a tenant for a machine that the tenant never had. */
    @Test
    void labelsThatWereNotSignedAreNotBelieved() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT).withLabels(ACME));
        Map<String, String> signed =
                workerSync.orders(HOST, -1, Duration.ZERO).machines().getFirst().labels();
        update("WITH gone AS (DELETE FROM worker_machines RETURNING 1) SELECT 1 FROM gone");
        Map<String, String> forged = new HashMap<>(signed);
        forged.put("organisation", "rival");
        Map<MachineRef, WorkerStateSync.Present> said = Map.of(
                MACHINE,
                found(MACHINE, GpuType.ANY.name(), signed),
                new MachineRef("b", 1),
                found(new MachineRef("b", 1), GpuType.ANY.name(), ACME),
                new MachineRef("c", 1),
                found(new MachineRef("c", 1), GpuType.ANY.name(), signed),
                new MachineRef("a", 2),
                found(new MachineRef("a", 2), GpuType.ANY.name(), signed));
        workerSync.report(
                HOST, new WorkerStateSync.Report("test", "1", 0, List.copyOf(said.values()), List.of(), List.of()));
        for (MachineObservation observation : fleet.list()) {
            assertEquals(
                    observation.machine().equals(MACHINE) ? ACME : Map.of(),
                    observation.labels(),
                    () -> observation.toString());
        }
        assertEquals(said.size(), fleet.list().size());
        update("WITH gone AS (DELETE FROM worker_machines RETURNING 1) SELECT 1 FROM gone");
        for (WorkerStateSync.Present one :
                List.of(found(MACHINE, "H100", signed), found(MACHINE, GpuType.ANY.name(), forged))) {
            workerSync.report(HOST, new WorkerStateSync.Report("test", "1", 0, List.of(one), List.of(), List.of()));
            assertEquals(Map.of(), only().labels());
            update("WITH gone AS (DELETE FROM worker_machines RETURNING 1) SELECT 1 FROM gone");
        }
    }

    /** The host has carried out orders that the database has lost, and must not mistake the next order for an old one. */
    @Test
    void ordersAreNewerThanAllThatTheHostHasSeen() {
        update("SELECT setval('worker_versions', 100, false)");
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        turn();
        update("SELECT setval('worker_versions', 5, false)");
        update("WITH back AS (UPDATE worker_machines SET version = 4, applied = 0 RETURNING 1) SELECT 1 FROM back");
        fleet.end(MACHINE);
        turn();
        turn();
        assertEquals(List.of(), paper.open("worker", Map.of()).list());
    }

    @Test
    void anEndThatTheHostHasNotReadYetIsNotTakenForDone() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        fleet.end(MACHINE);
        workerSync.report(HOST, new WorkerStateSync.Report("test", "1", 0, List.of(), List.of(), List.of()));
        assertEquals(MachinePhase.ENDING, only().state(), "the list was made before the host knew of it");
        turn();
        assertEquals(List.of(), fleet.list());
    }

    @Test
    void aGrantHoldsWhenTheHostHasToldTheMachine() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        turn();
        Grant more = Grant.of("cd".repeat(32));
        try (TestWorker running = fresh().start()) {
            fleet.bind(MACHINE, more);
            assertEquals(2, paper.grants(MACHINE).size());
            fleet.revoke(MACHINE, GRANT.tokenSha256());
            assertEquals(List.of(more), List.copyOf(paper.grants(MACHINE)));
        }
    }

    @Test
    void aHostThatIsAwayIsNotSaidToKnowOfAGrant() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        turn();
        MachineFleet hasty = fleet(Duration.ofMillis(50));
        FleetException refused =
                assertThrows(FleetException.class, () -> hasty.bind(MACHINE, Grant.of("cd".repeat(32))));
        assertTrue(refused.isRetryable(), refused::getMessage);
        assertEquals(1, paper.grants(MACHINE).size());
        turn();
        assertEquals(2, paper.grants(MACHINE).size(), "it was kept for when the host is back");
        fleet.bind(MACHINE, Grant.of("cd".repeat(32)));
    }

    @Test
    void aLogIsKeptOnceHoweverOftenItIsSent() {
        fleet.ensure(DesiredMachine.of(MACHINE, GpuType.ANY, GRANT));
        turn();
        turn();
        List<WorkerStateSync.LogPart> logs = List.of(new WorkerStateSync.LogPart(MACHINE, 1, List.of("two", "three")));
        workerSync.report(HOST, new WorkerStateSync.Report("test", "1", 0, List.of(), logs, List.of()));
        assertEquals(
                List.of("folded", "two", "three"),
                fleet.logs(MACHINE, false).collect().asList().await().atMost(Await.GUARD));
    }

    @Test
    void aHostThatIsAwayGetsNoNewMachines() {
        turn();
        assertTrue(!database.transact(sql -> ClusterRows.find(sql, HOST))
                .orElseThrow()
                .isAway());
        test.advance(LONG);
        assertTrue(database.transact(sql -> ClusterRows.find(sql, HOST))
                .orElseThrow()
                .isAway());
    }
}
