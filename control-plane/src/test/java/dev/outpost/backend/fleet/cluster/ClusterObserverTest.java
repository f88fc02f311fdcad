package dev.outpost.backend.fleet.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.fleet.Backend;
import dev.outpost.backend.fleet.DatabaseClock;
import dev.outpost.backend.fleet.HookedSupplier;
import dev.outpost.backend.model.usage.UsageInterval;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.cluster.ClusterState;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterObserverTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
    private final Backend backend = new Backend(test.source(), supplier);
    private final MachineFleet fleet = supplier.open("test", Map.of());

    @BeforeEach
    void addCluster() {
        backend.addCluster("host", 4);
    }

    @AfterEach
    void close() {
        test.close();
    }

    private UUID ready() {
        UUID id = MachineRequestFixtures.create(
                backend.database, backend.machines, MachineRequestFixtures.of("vision", "A100"));
        backend.round();
        assertEquals(Phase.READY, backend.machine(id).phase());
        return id;
    }

    private static MachineRef ref(UUID id) {
        return new MachineRef(id.toString(), 1);
    }

    @Test
    void aMachineWithoutARowIsEndedOnceItIsOldEnough() {
        fleet.ensure(DesiredMachine.of(new MachineRef(UUID.randomUUID().toString(), 1), GpuType.ANY));
        test.advance(Duration.ofSeconds(59));
        backend.observe();
        assertEquals(1, fleet.list().size());
        test.advance(Duration.ofSeconds(2));
        backend.observe();
        assertEquals(0, fleet.list().size());
    }

    @Test
    void leftoversOfAnEndedMachineAreRemoved() {
        UUID id = ready();
        supplier.fail(ref(id), EndCause.FAILED, "its process was killed");
        backend.observe();
        assertEquals(Phase.ENDED, backend.machine(id).phase());
        assertEquals("its process was killed", backend.machine(id).text());
        backend.observe();
        assertEquals(0, fleet.list().size());
    }

    @Test
    void vanishedMachineIsLostAndThenEnds() {
        UUID id = ready();
        fleet.end(ref(id));
        backend.observe();
        assertEquals(Phase.LOST, backend.machine(id).phase());
        test.advance(Duration.ofSeconds(61));
        backend.drive();
        assertEquals(Phase.ENDED, backend.machine(id).phase());
        assertEquals(Optional.of(EndReason.LOST), backend.machine(id).endReason());
    }

    /** A cluster that does not answer tells nothing about its machines. */
    @Test
    void unreachableClusterLosesNoMachine() {
        UUID id = ready();
        supplier.breakDown("no answer");
        test.advance(Duration.ofMinutes(10));
        backend.observe();
        backend.drive();
        assertEquals(Phase.READY, backend.machine(id).phase());
        assertEquals(
                Optional.of("paper: no answer"),
                backend.database
                        .transact(sql -> ClusterRows.find(sql, "host"))
                        .orElseThrow()
                        .trouble());
    }

    @Test
    void aDrainedClusterEndsItsMachines() {
        UUID id = ready();
        backend.setState("host", ClusterState.DRAINING);
        backend.observe();
        backend.drive();
        backend.observe();
        assertEquals(Phase.ENDED, backend.machine(id).phase());
        assertEquals("its cluster host is drained", backend.machine(id).text());
    }

    @Test
    void anIdleMachineEndsAsAgreed() {
        UUID id = ready();
        supplier.fail(ref(id), EndCause.IDLE, "no instruction arrived for 10 min");
        backend.observe();
        assertEquals(Optional.of(EndReason.IDLE), backend.machine(id).endReason());
    }

    private static final Duration OUTAGE = Duration.ofHours(10);

    /** A machine that was ready and was seen in a complete list, and is observed again after an outage of the backend. */
    private UUID readyBeforeAnOutage() {
        UUID id = ready();
        test.advance(Duration.ofSeconds(30));
        backend.observe();
        return id;
    }

    private Duration charged(UUID id) {
        UsageInterval usage = backend.database
                .transact(sql -> UsageRows.ofMachine(sql, id))
                .getLast()
                .usage();
        return Duration.between(usage.from(), usage.to().orElseThrow());
    }

    @Test
    void machineThatEndedWithoutABackendIsChargedUntilItEnded() {
        UUID id = readyBeforeAnOutage();
        test.advance(Duration.ofSeconds(12));
        supplier.fail(ref(id), EndCause.UNUSED, "no client was heard of");
        test.advance(OUTAGE);
        backend.observe();
        assertEquals(Phase.ENDED, backend.machine(id).phase());
        assertEquals(Duration.ofSeconds(42), charged(id));
    }

    @Test
    void machineThatVanishedWithoutABackendIsChargedUntilItWasSeenLast() {
        UUID id = readyBeforeAnOutage();
        test.advance(Duration.ofSeconds(12));
        fleet.end(ref(id));
        test.advance(OUTAGE);
        backend.observe();
        assertEquals(Duration.ofSeconds(30), charged(id));
    }

    /** The clock of a supplier may be wrong by hours. */
    @Test
    void machineIsChargedAtLeastUntilItWasSeenLast() {
        UUID id = readyBeforeAnOutage();
        MachineObservation observation = fleet.list().getFirst();
        backend.observer.take(new MachineObservation(
                observation.machine(),
                observation.gpu(),
                MachinePhase.ENDED,
                "its process was killed",
                Optional.of(EndCause.FAILED),
                observation.address(),
                observation.created().minus(OUTAGE),
                observation.since().minus(OUTAGE),
                observation.labels()));
        assertEquals(Duration.ofSeconds(30), charged(id));
    }

    @Test
    void watchTellsTheSameAsAList() {
        UUID id = ready();
        supplier.become(ref(id), MachinePhase.UNREACHABLE, "its node does not answer");
        fleet.watch(backend.observer::take).close();
        assertEquals(Phase.LOST, backend.machine(id).phase());
        supplier.become(ref(id), MachinePhase.READY, "it is back");
        for (MachineObservation observation : fleet.list()) {
            backend.observer.take(observation);
        }
        assertEquals(Phase.READY, backend.machine(id).phase());
        assertTrue(backend.machine(id).address().isPresent());
    }

    /** A restore or a worker host requests adoption during another adoption. */
    @Test
    void adoptionThatIsAskedForWhileAClusterIsListedIsDoneByTheNextLook() {
        UUID late = UUID.randomUUID();
        Backend interrupted = listing(() -> {
            backend.database.run(sql -> ClusterRows.adopt(sql, "host"));
            fleet.ensure(owned(late));
        });
        backend.database.run(sql -> ClusterRows.adopt(sql, "host"));
        interrupted.observe();
        test.advance(Duration.ofMinutes(5));
        backend.observe();
        backend.observe();
        assertEquals(Phase.READY, backend.machine(late).phase());
        assertEquals(1, fleet.list().size());
    }

    @Test
    void machineWithoutARowIsNotEndedIfAdoptionWasAskedForWhileItWasListed() {
        UUID found = UUID.randomUUID();
        fleet.ensure(owned(found));
        test.advance(Duration.ofMinutes(5));
        listing(() -> backend.database.run(sql -> ClusterRows.adopt(sql, "host")))
                .observe();
        backend.observe();
        backend.observe();
        assertEquals(Phase.READY, backend.machine(found).phase());
        assertEquals(1, fleet.list().size());
    }

    private Backend listing(Runnable afterList) {
        return new Backend(test.source(), new HookedSupplier(supplier, () -> {}, afterList));
    }

    private static DesiredMachine owned(UUID id) {
        return DesiredMachine.of(ref(id), GpuType.ANY)
                .withLabels(Map.of("organisation", "acme", "project", "vision", "owner", "ada"));
    }
}
