package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.store.EventRows.Cursor;
import dev.outpost.backend.store.EventRows.Told;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.rest.machine.Phase;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A reader that continues after the last event it has read misses none, however transactions overlap. */
class EventOrderTest {
    private static final int WRITERS = 4;
    private static final int OF_EACH = 40;

    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Database database = test.database();
    private final Machines machines = new Machines(MachineRequestFixtures.SETTINGS);

    @AfterEach
    void close() {
        test.close();
    }

    private List<Told> read(Cursor from) {
        return database.transact(sql -> EventRows.after(sql, from, 100));
    }

    @Test
    void laterCommitOfAnEarlierTransactionIsNotSkipped() throws InterruptedException, ExecutionException {
        UUID slow = MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
        UUID quick = MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
        Cursor before = database.transact(EventRows::newest);
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch commit = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> running = threads.submit(() -> database.run(sql -> {
                machines.apply(sql, slow, new Observation.Held(Phase.CAPACITY, "slowly"));
                written.countDown();
                await(commit);
            }));
            Await.opened("the slow one has written", written);
            database.run(sql -> machines.apply(sql, quick, new Observation.Held(Phase.CAPACITY, "quickly")));
            assertEquals(List.of(), read(before), "the quick one has a higher number than one that is still open");
            commit.countDown();
            Await.result("the slow one ends", running);
        }
        List<Told> both = read(before);
        assertEquals(List.of(slow, quick), both.stream().map(Told::machine).toList());
        assertTrue(both.get(0).cursor().compareTo(both.get(1).cursor()) < 0);
        assertEquals(List.of(), read(both.getLast().cursor()));
    }

    @Test
    void horizonTellsOfRemovedEvents() {
        UUID old = MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
        test.advance(Duration.ofDays(100));
        UUID young = MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
        Cursor first = read(Cursor.START).getFirst().cursor();
        Retention.Step removed = database.transact(sql -> EventRows.forget(
                sql, new Retention.Span(Instant.EPOCH, sql.now().minus(Duration.ofDays(90)), 100)));
        assertEquals(1, removed.rows());
        assertEquals(first, database.transact(EventRows::horizon));
        assertEquals(
                List.of(young), read(Cursor.START).stream().map(Told::machine).toList());
        assertTrue(old.compareTo(young) != 0);
    }

    /** The other transaction holds back the server's own bound, {@code pg_snapshot_xmin}. */
    @Test
    void slowTransactionOfAnotherDatabaseDoesNotDelayEvents() {
        try (TestDatabase other = TestDatabase.create().withProjects("vision")) {
            Cursor before = database.transact(EventRows::newest);
            other.database().run(theirs -> {
                theirs.update("UPDATE simulated_clock SET now = now");
                UUID quick =
                        MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
                assertEquals(
                        List.of(quick), read(before).stream().map(Told::machine).toList());
                assertEquals(read(before).getLast().cursor(), database.transact(EventRows::newest));
            });
        }
    }

    /** Concurrent writers that overlap in all ways, and one constant reader. */
    @Test
    void readerDuringManyWritesGetsEachEventOnce() throws InterruptedException, ExecutionException {
        Cursor cursor = database.transact(EventRows::newest);
        List<UUID> heard = new ArrayList<>();
        Set<UUID> written = ConcurrentHashMap.newKeySet();
        AtomicInteger writing = new AtomicInteger(WRITERS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(threads.submit(() -> {
                    try {
                        for (int n = 0; n < OF_EACH; n++) {
                            written.addAll(writeTogether(1 + n % 3));
                        }
                    } finally {
                        writing.decrementAndGet();
                    }
                }));
            }
            boolean isLast = false;
            while (!isLast) {
                isLast = writing.get() == 0;
                for (List<Told> batch = read(cursor); !batch.isEmpty(); batch = read(cursor)) {
                    batch.forEach(told -> heard.add(told.machine()));
                    cursor = batch.getLast().cursor();
                }
            }
            for (Future<?> writer : writers) {
                Await.result("a writer ends", writer);
            }
        }
        assertEquals(written.size(), heard.size());
        assertEquals(written, Set.copyOf(heard));
    }

    /** Several machines in one transaction, each with one event. */
    private List<UUID> writeTogether(int count) {
        return database.transact(sql -> {
            List<UUID> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                UUID id = UUID.randomUUID();
                machines.create(
                        sql,
                        Machine.queued(
                                id, MachineRequestFixtures.of("vision", "A100"), Phase.QUOTA, "it waits", sql.now()));
                ids.add(id);
            }
            return ids;
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            Await.opened("the slow one may commit", latch);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
