package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.MachineRows.Listed;
import dev.outpost.backend.store.MachineRows.Position;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Machines that failed to start are listed with the reason for a day. */
class FailedMachinesTest {
    private static final int MAX_FAILED = 50;

    private final TestDatabase test = TestDatabase.create().withProjects("vision", "speech");
    private final PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), false);
    private final Backend backend = new Backend(test.source(), supplier);

    @AfterEach
    void close() {
        test.close();
    }

    private UUID ask(String project) {
        test.advance(Duration.ofSeconds(1));
        UUID id = MachineRequestFixtures.create(
                backend.database, backend.machines, MachineRequestFixtures.of(project, "A100"));
        backend.round();
        return id;
    }

    private void fail(UUID id) {
        Machine row = backend.machine(id);
        supplier.fail(new MachineRef(id.toString(), row.epoch()), EndCause.FAILED, "the image cannot be pulled");
        backend.observe();
        backend.drive();
    }

    private List<UUID> listed(Optional<String> project, Listed listed) {
        return page(project, listed, Optional.empty(), 100);
    }

    private List<UUID> page(Optional<String> project, Listed listed, Optional<Position> after, int limit) {
        return backend.database.transact(sql -> MachineRows.page(sql, "acme", project, listed, after, limit)).stream()
                .map(Machine::id)
                .toList();
    }

    @Test
    void failedMachineIsListedWithItsReasonForADay() {
        backend.addCluster("host", 9, "A100");
        UUID failed = ask("vision");
        UUID ended = ask("vision");
        UUID live = ask("speech");
        fail(failed);
        backend.end(ended);
        for (int round = 0; round < 3; round++) {
            test.advance(Duration.ofSeconds(3));
            backend.round();
        }
        assertEquals(Optional.of(EndReason.FAILED), backend.machine(failed).endReason());
        assertEquals(Phase.ENDED, backend.machine(ended).phase());
        assertEquals(List.of(live, failed), listed(Optional.empty(), Listed.LIVE_AND_FAILED));
        assertEquals(List.of(failed), listed(Optional.of("vision"), Listed.LIVE_AND_FAILED));
        assertEquals(List.of(live), listed(Optional.empty(), Listed.LIVE));
        assertEquals(List.of(live, ended, failed), listed(Optional.empty(), Listed.ALL));
        assertTrue(
                backend.machine(failed).text().contains("the image cannot be pulled"),
                () -> backend.machine(failed).text());
        test.advance(Duration.ofDays(1));
        assertEquals(List.of(live), listed(Optional.empty(), Listed.LIVE_AND_FAILED));
    }

    @Test
    void pagesOfALongListHaveEachMachineOnceAndTheNewestFailedOnes() {
        backend.addCluster("host", 999, "A100");
        List<UUID> expected = new ArrayList<>();
        for (int machine = 0; machine < MAX_FAILED + 5; machine++) {
            UUID failed = ask("vision");
            fail(failed);
            if (machine >= 5) {
                expected.add(failed);
            }
            if (machine % 10 == 0) {
                expected.add(ask("vision"));
            }
        }
        Collections.reverse(expected);
        List<UUID> read = new ArrayList<>();
        Optional<Position> after = Optional.empty();
        for (List<UUID> page = page(Optional.empty(), Listed.LIVE_AND_FAILED, after, 7);
                !page.isEmpty();
                page = page(Optional.empty(), Listed.LIVE_AND_FAILED, after, 7)) {
            read.addAll(page);
            after = Optional.of(new Position(backend.machine(page.getLast()).created(), page.getLast()));
        }
        assertEquals(expected, read);
    }
}
