package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.store.ReportRows.Report;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.Machines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReportRowsTest {
    private static final String HASH = "ab".repeat(32);
    private static final String OTHER = "cd".repeat(32);
    private static final Instant SEEN = Instant.parse("2026-02-28T23:59:58.125Z");

    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Database database = test.database();
    private final Machines machines = new Machines(MachineRequestFixtures.SETTINGS);

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void aBatchOfManyMachinesIsOneStatementAndTheLastReportHolds() {
        UUID one = MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
        UUID two = MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
        Report idle = new Report(one, HASH, 0, Optional.empty(), 0, 0);
        Report busy = new Report(one, OTHER, 2, Optional.of(SEEN), 1L << 40, Long.MAX_VALUE);
        Report others = new Report(two, HASH, 1, Optional.of(SEEN), 7, 8);
        database.run(sql -> ReportRows.put(sql, List.of(idle, busy, others)));
        assertEquals(
                List.of(
                        new ReportRows.Stored(idle, TestDatabase.START),
                        new ReportRows.Stored(busy, TestDatabase.START)),
                database.transact(sql -> ReportRows.of(sql, one)));
        test.advance(Duration.ofSeconds(30));
        Report used = new Report(one, HASH, 1, Optional.of(SEEN), 5, 6);
        database.run(sql -> ReportRows.put(sql, List.of(used)));
        List<ReportRows.Stored> now = database.transact(sql -> ReportRows.of(sql, one));
        assertEquals(new ReportRows.Stored(used, TestDatabase.START.plusSeconds(30)), now.getFirst());
        assertEquals(busy, now.getLast().report());
        assertEquals(1, database.transact(sql -> ReportRows.of(sql, two)).size());
    }

    @Test
    void anEmptyBatchIsNoStatement() {
        database.run(sql -> ReportRows.put(sql, List.of()));
    }

    /** A waiting machine is on no cluster. */
    @Test
    void reportsOfMachinesOnAnotherClusterAreDropped() {
        UUID one = MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
        Report report = new Report(one, HASH, 1, Optional.empty(), 5, 6);
        Report unknown = new Report(UUID.randomUUID(), HASH, 1, Optional.empty(), 5, 6);
        database.run(sql -> ReportRows.put(sql, "elsewhere", List.of(report, unknown)));
        assertEquals(List.of(), database.transact(sql -> ReportRows.of(sql, one)));
        database.run(sql -> ReportRows.put(sql, List.of(report, unknown)));
        assertEquals(1, database.transact(sql -> ReportRows.of(sql, one)).size());
    }
}
