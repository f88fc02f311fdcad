package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Pool;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.store.backup.Backup;
import dev.outpost.backend.store.backup.Restore;
import dev.outpost.backend.store.usage.QuotaRecount;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.Phase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup is restored into another database while the machines continue to run. */
class RestoreTest {
    private static final InstantSource CLOCK = () -> TestDatabase.START;

    @TempDir
    Path folder;

    private final PaperSupplier supplier = new PaperSupplier(CLOCK, true);

    private Path backup(TestDatabase test) throws IOException {
        Path file = folder.resolve("backup.zip");
        try (OutputStream out = Files.newOutputStream(file)) {
            Backup.write(test.database(), out);
        }
        return file;
    }

    private static UUID start(Backend backend, String project) {
        UUID id = MachineRequestFixtures.create(
                backend.database, backend.machines, MachineRequestFixtures.of(project, "A100"));
        backend.round();
        assertEquals(Phase.READY, backend.machine(id).phase());
        return id;
    }

    private long there(UUID id) {
        return supplier.open("test", Map.of()).list().stream()
                .filter(observation -> observation.machine().id().equals(id.toString()))
                .filter(MachineObservation::isLive)
                .count();
    }

    @Test
    void machinesOfAfterTheBackupAreAdopted() throws IOException {
        try (TestDatabase old = TestDatabase.create().withProjects("vision", "speech");
                TestDatabase next = TestDatabase.create()) {
            Backend before = new Backend(old.source(), supplier);
            before.addCluster("host", 4);
            UUID kept = start(before, "vision");
            UUID gone = start(before, "vision");
            Path file = backup(old);
            UUID late = start(before, "speech");
            before.end(gone);
            before.round();
            assertEquals(0, there(gone));

            Restore.read(next.database(), file);
            Backend after = new Backend(next.source(), supplier);
            next.advance(Duration.ofMinutes(5));
            after.round();
            after.round();
            assertEquals(Phase.READY, after.machine(kept).phase());
            assertEquals(Phase.READY, after.machine(late).phase());
            assertEquals("speech", after.machine(late).request().project());
            assertEquals("ada", after.machine(late).request().owner());
            assertEquals(Phase.LOST, after.machine(gone).phase());
            assertEquals(1, there(kept));
            assertEquals(1, there(late));
            next.advance(Duration.ofMinutes(2));
            after.drive();
            assertEquals(Phase.ENDED, after.machine(gone).phase());
            assertEquals(
                    next.database().transact(QuotaRecount::of), next.database().transact(QuotaRows::counters));
            assertTrue(next.database()
                    .transact(sql -> UsageRows.ofMachine(sql, late))
                    .getFirst()
                    .usage()
                    .to()
                    .isEmpty());
        }
    }

    @Test
    void onlyTheFirstLookAfterARestoreAdopts() throws IOException {
        try (TestDatabase old = TestDatabase.create().withProjects("vision");
                TestDatabase next = TestDatabase.create()) {
            Backend before = new Backend(old.source(), supplier);
            before.addCluster("host", 4);
            Path file = backup(old);
            Restore.read(next.database(), file);
            Backend after = new Backend(next.source(), supplier);
            after.round();
            UUID stray = start(before, "vision");
            next.advance(Duration.ofMinutes(5));
            after.round();
            assertEquals(0, there(stray), "it has no row, and is an orphan");
        }
    }

    /** The host's report from before the backup does not tell its present machines. */
    @Test
    void noWorkerHostHasBeenHeardSinceARestore() throws IOException {
        try (TestDatabase old = TestDatabase.create();
                TestDatabase next = TestDatabase.create()) {
            old.database().run(sql -> {
                ClusterRows.add(
                        sql, ClusterRows.Stored.active("lab", "worker", List.of(), OptionalInt.empty(), Map.of()));
                WorkerRows.offer(sql, "lab", new byte[32], Duration.ofHours(1));
                WorkerRows.pair(sql, "lab", new byte[32], new byte[] {1});
                WorkerRows.hear(sql, "lab", "host", "1");
            });
            Restore.read(next.database(), backup(old));
            next.database().run(sql -> {
                assertTrue(WorkerRows.host(sql, "lab").orElseThrow().heard().isEmpty());
                assertTrue(ClusterRows.isAnyAdopting(sql));
            });
        }
    }

    @Test
    void membersOfPoolsAreEnded() throws IOException {
        try (TestDatabase old = TestDatabase.create().withProjects("vision");
                TestDatabase next = TestDatabase.create()) {
            Backend before = new Backend(old.source(), supplier);
            before.addCluster("host", 4);
            Pool pool = new Pool(
                    "warm",
                    1,
                    "A100",
                    1,
                    1,
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(1),
                    false,
                    0,
                    Optional.empty(),
                    TestDatabase.START,
                    "it is new");
            before.database.run(sql -> PoolRows.insert(sql, pool, TestDatabase.START));
            before.pools.round();
            before.round();
            UUID member = before.database
                    .transact(sql -> PoolRows.members(sql, "warm"))
                    .getFirst()
                    .id();
            assertEquals(1, there(member));
            Restore.read(next.database(), backup(old));
            Backend after = new Backend(next.source(), supplier);
            after.round();
            assertEquals(0, there(member), "it may have been claimed after the backup");
        }
    }

    @Test
    void cursorsOfBeforeAreGoneAndEventsAreKept() throws IOException {
        try (TestDatabase old = TestDatabase.create().withProjects("vision");
                TestDatabase next = TestDatabase.create()) {
            Backend before = new Backend(old.source(), supplier);
            before.addCluster("host", 4);
            UUID id = start(before, "vision");
            Restore.read(next.database(), backup(old));
            next.database().run(sql -> {
                assertTrue(EventRows.isAhead(sql, new EventRows.Cursor(1L << 40, 1)));
                assertTrue(EventRows.after(sql, EventRows.Cursor.START, 100).stream()
                        .anyMatch(told -> told.machine().equals(id)));
            });
        }
    }

    @Test
    void usedDatabaseAndOtherFilesAreRefused() throws IOException {
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            Path file = backup(test);
            String used = assertThrows(IOException.class, () -> Restore.read(test.database(), file))
                    .getMessage();
            assertTrue(used.startsWith("restore: the database has been used already"), used);
        }
    }
}
