package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Limit;
import dev.outpost.backend.model.Limit.Resource;
import dev.outpost.backend.model.Limit.Scope;
import dev.outpost.backend.model.Phase;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.QuotaRows;
import dev.outpost.backend.store.Requests;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.provider.fleet.PaperSupplier;
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
        UUID id = Requests.create(backend.database, backend.machines, Requests.of(project, "A100"));
        test.advance(Duration.ofMillis(10));
        return id;
    }

    private Phase phase(UUID id) {
        return backend.machine(id).phase();
    }

    @Test
    void whoeverWaitsIsToldItsPositionTheLimitAndTheTime() {
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
    void whatEndsMakesRoomForTheNext() {
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
    void oneThatWaitsForItsQuotaIsNotInTheWayOfOthers() {
        backend.addCluster("host", 10);
        Limit one = new Limit(Scope.PROJECT, Resource.MACHINES, Optional.empty(), 1);
        backend.database.run(sql -> QuotaRows.set(sql, "acme", Optional.of("vision"), one, Optional.empty()));
        UUID first = ask("vision");
        UUID second = ask("vision");
        UUID other = ask("speech");
        backend.round();
        assertEquals(Phase.READY, phase(first));
        assertEquals(Phase.READY, phase(other));
        assertEquals(Phase.QUOTA, phase(second));
        assertEquals(
                "quota project/machines: 1 of 1 used, 1 asked",
                backend.machine(second).text());
        backend.end(first);
        backend.round();
        backend.round();
        assertEquals(Phase.READY, phase(second));
    }

    @Test
    void aCordonedClusterTakesNoNewOnes() {
        backend.addCluster("host", 4);
        backend.setState("host", ClusterRows.State.CORDONED);
        UUID id = ask("vision");
        backend.round();
        assertEquals(Phase.CAPACITY, phase(id));
        assertTrue(backend.machine(id).text().contains("no active cluster has A100"), backend.machine(id)::text);
    }
}
