package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Phase;
import dev.outpost.backend.store.EventRows.Cursor;
import dev.outpost.backend.store.EventRows.Told;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader who goes on behind what it has read misses nothing, whatever transactions overlap. */
@Timeout(120)
class EventOrderTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Database database = test.database();
    private final Machines machines = new Machines(Requests.SETTINGS);

    @AfterEach
    void close() {
        test.close();
    }

    private List<Told> read(Cursor from) {
        return database.transact(sql -> EventRows.after(sql, from, 100));
    }

    @Test
    void whatBeganEarlierAndCommitsLaterIsNotPassedBy() throws InterruptedException, ExecutionException {
        UUID slow = Requests.create(database, machines, Requests.of("vision", "A100"));
        UUID quick = Requests.create(database, machines, Requests.of("vision", "A100"));
        Cursor before = database.transact(EventRows::newest);
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch commit = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> running = threads.submit(() -> database.run(sql -> {
                machines.apply(sql, slow, new Observation.Held(Phase.CAPACITY, "slowly"));
                written.countDown();
                await(commit);
            }));
            written.await();
            database.run(sql -> machines.apply(sql, quick, new Observation.Held(Phase.CAPACITY, "quickly")));
            assertEquals(List.of(), read(before), "the quick one has a higher number than one that is still open");
            commit.countDown();
            running.get();
        }
        List<Told> both = read(before);
        assertEquals(List.of(slow, quick), both.stream().map(Told::machine).toList());
        assertTrue(both.get(0).cursor().compareTo(both.get(1).cursor()) < 0);
        assertEquals(List.of(), read(both.getLast().cursor()));
    }

    @Test
    void whatWasRemovedIsToldByTheHorizon() {
        UUID old = Requests.create(database, machines, Requests.of("vision", "A100"));
        test.advance(Duration.ofDays(100));
        UUID young = Requests.create(database, machines, Requests.of("vision", "A100"));
        Cursor first = read(Cursor.START).getFirst().cursor();
        int removed = database.transact(sql -> EventRows.forget(sql, sql.now().minus(Duration.ofDays(90))));
        assertEquals(1, removed);
        assertEquals(first, database.transact(EventRows::horizon));
        assertEquals(
                List.of(young), read(Cursor.START).stream().map(Told::machine).toList());
        assertTrue(old.compareTo(young) != 0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
