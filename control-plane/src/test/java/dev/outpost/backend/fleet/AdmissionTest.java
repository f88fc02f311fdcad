package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.cluster.ClusterState;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision", "speech");
    private final Backend backend =
            new Backend(test.source(), new PaperSupplier(new DatabaseClock(test.database()), true));

    @AfterEach
    void close() {
        test.close();
    }

    private UUID ask(String project) {
        UUID id = MachineRequestFixtures.create(
                backend.database, backend.machines, MachineRequestFixtures.of(project, "A100"));
        test.advance(Duration.ofMillis(10));
        return id;
    }

    private Phase phase(UUID id) {
        return backend.machine(id).phase();
    }

    @Test
    void queuedMachineIsToldPositionLimitAndTime() {
        backend.addCluster("host", 1);
        UUID first = ask("vision");
        backend.round();
        UUID second = ask("vision");
        UUID third = ask("vision");
        backend.round();
        assertEquals(Phase.READY, phase(first));
        assertEquals(Phase.CAPACITY, phase(second));
        assertEquals(Phase.POSITION, phase(third));
        Instant end = backend.machine(first).endsAt().orElseThrow();
        assertNotEquals(0, end.getNano());
        assertEquals(
                "position 2 of 2 in the queue; cluster host has room for 1 machines and has 1; the next one ends by "
                        + end.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS) + " at the latest",
                backend.machine(third).text());
    }

    @Test
    void endedMachineMakesRoomForTheNext() {
        backend.addCluster("host", 1);
        UUID first = ask("vision");
        backend.round();
        UUID second = ask("vision");
        backend.end(first);
        backend.round();
        backend.round();
        assertEquals(Phase.ENDED, phase(first));
        assertEquals(Phase.READY, phase(second));
    }

    @Test
    void aBurstOfOneProjectDoesNotStarveAnother() {
        backend.addCluster("host", 2);
        List<UUID> burst = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            burst.add(ask("vision"));
        }
        UUID single = ask("speech");
        backend.round();
        assertEquals(Phase.READY, phase(single));
        assertEquals(1, burst.stream().filter(id -> phase(id) == Phase.READY).count());
    }

    @Test
    void machineWaitingForQuotaDoesNotBlockOthers() {
        backend.addCluster("host", 10);
        QuotaLimit one = new QuotaLimit(QuotaScope.PROJECT, QuotaResource.MACHINES, Optional.empty(), 1);
        backend.database.run(sql -> QuotaRows.set(sql, "acme", Optional.of("vision"), one, Optional.empty()));
        UUID first = ask("vision");
        UUID second = ask("vision");
        UUID other = ask("speech");
        backend.round();
        assertEquals(Phase.READY, phase(first));
        assertEquals(Phase.READY, phase(other));
        assertEquals(Phase.QUOTA, phase(second));
        String why = backend.machine(second).text();
        assertTrue(why.startsWith("quota project/machines: 1 of 1 used, 1 asked; position "), why);
        String end = backend.machine(first).endsAt().orElseThrow().toString();
        assertTrue(why.endsWith("in the queue; the next one that counts ends by " + end + " at the latest"), why);
        backend.end(first);
        backend.round();
        backend.round();
        assertEquals(Phase.READY, phase(second));
    }

    @Test
    void aProjectOfHigherPriorityGoesFirst() {
        backend.addCluster("host", 1);
        UUID running = ask("vision");
        backend.round();
        UUID patient = ask("vision");
        UUID urgent = ask("speech");
        backend.database.run(sql -> {
            TenantRows.Project speech =
                    TenantRows.project(sql, "acme", "speech").orElseThrow();
            TenantRows.updateProject(
                    sql,
                    new TenantRows.Project("acme", "speech", 10, speech.created(), Optional.empty(), speech.version()));
        });
        backend.end(running);
        backend.round();
        backend.round();
        assertEquals(Phase.READY, phase(urgent));
        assertEquals(Phase.State.QUEUED, phase(patient).state());
    }

    private UUID askOf(String organisation, String project, String gpu) {
        return MachineRequestFixtures.create(
                backend.database, backend.machines, MachineRequestFixtures.of(organisation, project, gpu));
    }

    private void addOrganisation(String name, String project) {
        backend.database.run(sql -> {
            TenantRows.addOrganisation(sql, name);
            TenantRows.addProject(sql, name, project, 0);
        });
    }

    /** The blocked requests wait for a full cluster or exceed a quota; their number and waiting time do not matter. */
    @Test
    void requestsThatCannotStartBlockNobody() {
        backend.addCluster("host", 4, "A100");
        backend.addCluster("full", 0, "L4");
        addOrganisation("hostile", "many");
        QuotaLimit none = new QuotaLimit(QuotaScope.ORGANISATION, QuotaResource.MACHINES, Optional.of("A100"), 0);
        backend.database.run(sql -> QuotaRows.set(sql, "hostile", Optional.empty(), none, Optional.empty()));
        for (int i = 0; i < 250; i++) {
            askOf("hostile", "many", "L4");
            askOf("hostile", "many", "A100");
        }
        test.advance(Duration.ofSeconds(1));
        UUID other = ask("vision");
        backend.round();
        assertEquals(Phase.READY, phase(other));
    }

    @Test
    void aLongLineOfOneOrganisationDelaysNoOther() {
        backend.addCluster("host", 2);
        addOrganisation("hostile", "many");
        List<UUID> burst = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            burst.add(askOf("hostile", "many", "A100"));
        }
        test.advance(Duration.ofSeconds(1));
        UUID single = ask("vision");
        backend.round();
        assertEquals(Phase.READY, phase(single));
        assertEquals(1, burst.stream().filter(id -> phase(id) == Phase.READY).count());
    }

    /** A transaction admits some requests of each queue; a run continues until the queue is empty. */
    @Test
    void allAreAdmittedForWhichThereIsRoom() {
        backend.addCluster("host", 100);
        for (int i = 0; i < 100; i++) {
            ask("vision");
        }
        assertEquals(100, backend.admission.admit());
    }

    @Test
    void requestThatFailsIsLeftOutAndReported() {
        backend.addCluster("host", 4);
        UUID broken = ask("vision");
        UUID other = ask("vision");
        backend.database.run(sql -> sql.update("UPDATE machines SET gpus = 0 WHERE id = ?", broken));
        assertEquals(1, backend.admission.admit());
        assertEquals(Phase.State.STARTING, phase(other).state());
        List<RowFailures.Failure> failures = backend.database.transact(sql -> RowFailures.page(sql, "", "", 10));
        assertEquals(
                List.of(broken.toString()),
                failures.stream().map(RowFailures.Failure::row).toList());
        assertEquals("admission", failures.getFirst().loop());
        assertEquals(
                TestDatabase.START.plusSeconds(2).plusMillis(20),
                failures.getFirst().retry());
    }

    @Test
    void usedUpHoursComeBackWithTheNextMonth() {
        backend.addCluster("host", 4);
        QuotaLimit hours =
                new QuotaLimit(QuotaScope.PROJECT, QuotaResource.GPU_HOURS_PER_MONTH, Optional.of("A100"), 2);
        backend.database.run(sql -> QuotaRows.set(sql, "acme", Optional.of("vision"), hours, Optional.empty()));
        UUID first = ask("vision");
        backend.round();
        test.advance(Duration.ofMinutes(119));
        UUID second = ask("vision");
        backend.round();
        assertEquals(Phase.READY, phase(second), "the second hour is not over");
        test.advance(Duration.ofMinutes(2));
        backend.end(first);
        backend.end(second);
        backend.round();
        UUID third = ask("vision");
        UUID other = ask("speech");
        backend.round();
        assertEquals(Phase.READY, phase(other), "the quota is the other project's");
        assertEquals(Phase.QUOTA, phase(third));
        assertTrue(
                backend.machine(third).text().startsWith("quota project/gpu-hours-per-month:A100: 2 of 2 used"),
                backend.machine(third)::text);
        test.advance(Duration.ofDays(31));
        UUID fourth = ask("vision");
        backend.round();
        backend.round();
        assertEquals(Phase.READY, phase(fourth), "another month has begun");
        assertEquals(Phase.ENDED, phase(third), "it has waited for too long");
    }

    @Test
    void cordonedClusterTakesNoNewMachines() {
        backend.addCluster("host", 4);
        backend.setState("host", ClusterState.CORDONED);
        UUID id = ask("vision");
        backend.round();
        assertEquals(Phase.CAPACITY, phase(id));
        assertTrue(backend.machine(id).text().contains("no active cluster has A100"), backend.machine(id)::text);
    }
}
