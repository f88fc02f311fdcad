package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows that replicas share: one replica at a time works on a row, and results that come too late are dropped. */
class MachineReconcilerTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), false);
    private final Backend quick = new Backend(test.source(), supplier);

    @AfterEach
    void close() {
        test.close();
    }

    private UUID admitted() {
        quick.addCluster("host", 4);
        UUID id = MachineRequestFixtures.create(
                quick.database, quick.machines, MachineRequestFixtures.of("vision", "A100"));
        quick.admission.admit();
        assertEquals(Phase.ADMITTED, quick.machine(id).phase());
        return id;
    }

    @Test
    void rowIsTakenByOneReplica() {
        admitted();
        assertEquals(1, quick.machineReconciler.claim(16).size());
        assertEquals(List.of(), quick.machineReconciler.claim(16));
        test.advance(Backend.LOCK);
        assertEquals(1, quick.machineReconciler.claim(16).size(), "its lock has expired");
    }

    /** The machine that the slow replica requests has ended in the meantime by its row, so it is ended like any other. */
    @Test
    void answerAfterAnExpiredLockIsDropped() {
        UUID id = admitted();
        Backend slow = new Backend(test.source(), new HookedSupplier(supplier, () -> {
            test.advance(Backend.LOCK.plusSeconds(1));
            quick.drive();
            quick.end(id);
            quick.drive();
            quick.observe();
        }));
        slow.drive();
        assertEquals(Phase.ENDED, quick.machine(id).phase());
        assertEquals(1, machines().size());
        quick.observe();
        assertEquals(List.of(), machines());
    }

    private List<MachineObservation> machines() {
        return supplier.open("test", Map.of()).list();
    }

    @Test
    void aClusterThatDoesNotAnswerIsAskedAgain() {
        UUID id = admitted();
        supplier.breakDown("no answer");
        quick.drive();
        assertEquals(Phase.ADMITTED, quick.machine(id).phase());
        supplier.breakDown("");
        assertEquals(List.of(), quick.machineReconciler.claim(16), "not at once");
        test.advance(Duration.ofSeconds(2));
        quick.drive();
        assertEquals(Phase.NODE, quick.machine(id).phase());
    }

    @Test
    void refusedMachineIsOver() {
        UUID id = admitted();
        Backend refused = new Backend(test.source(), new HookedSupplier(supplier, () -> {
            throw new FleetException(FleetException.Kind.REFUSED, "the namespace is another installation's");
        }));
        refused.drive();
        Machine row = quick.machine(id);
        assertEquals(Phase.ENDED, row.phase());
        assertTrue(row.text().contains("another installation's"), row::text);
    }
}
