package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.tenant.KeyScope;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SessionRowsTest {
    private static final Instant END = TestDatabase.START.plus(Duration.ofHours(12));

    private static void addKey(Sql sql, String id) {
        KeyRows.add(
                sql,
                new KeyRows.Stored(
                        id,
                        "acme",
                        Optional.empty(),
                        Optional.empty(),
                        id,
                        new byte[] {1},
                        List.of(KeyScope.READ),
                        TestDatabase.START,
                        "k0",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1));
    }

    private static byte[] hash(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private static boolean has(TestDatabase test, int number) {
        return test.database()
                .transact(sql -> SessionRows.find(sql, hash(number)))
                .isPresent();
    }

    private static int count(TestDatabase test, String key) {
        return test.database()
                .transact(sql -> sql.one(
                        "SELECT count(*)::int AS sessions FROM browser_sessions WHERE key_id = ?", Integer.class, key))
                .orElseThrow();
    }

    private static void begin(TestDatabase test, int number, String key) {
        test.database().run(sql -> SessionRows.add(sql, new SessionRows.Stored(hash(number), key, END)));
    }

    @Test
    void furtherSessionReplacesTheOldestOfItsKey() {
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            test.database().run(sql -> {
                addKey(sql, "ada");
                addKey(sql, "bob");
            });
            begin(test, 1000, "bob");
            for (int number = 0; number < SessionRows.OF_KEY; number++) {
                begin(test, number, "ada");
                test.advance(Duration.ofSeconds(1));
            }
            assertTrue(has(test, 0));
            begin(test, 500, "ada");
            assertEquals(SessionRows.OF_KEY, count(test, "ada"));
            assertTrue(!has(test, 0) && has(test, 1) && has(test, 500));
            assertTrue(has(test, 1000), "another key has its own sessions");
        }
    }

    @Test
    void loginsAtOnceKeepTheLimit() throws Exception {
        int threads = 8;
        try (TestDatabase test = TestDatabase.create().withProjects("vision");
                ExecutorService all = Executors.newFixedThreadPool(threads)) {
            test.database().run(sql -> addKey(sql, "ada"));
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<?>> logins = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = thread * 100;
                logins.add(all.submit(() -> {
                    start.await();
                    for (int number = 0; number < 10; number++) {
                        begin(test, first + number, "ada");
                    }
                    return null;
                }));
            }
            for (Future<?> login : logins) {
                login.get();
            }
            assertEquals(SessionRows.OF_KEY, count(test, "ada"));
        }
    }

    @Test
    void expiredSessionsAreRemoved() {
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            test.database().run(sql -> addKey(sql, "ada"));
            begin(test, 1, "ada");
            test.database().run(sql -> SessionRows.forget(sql, new Retention.Span(Instant.EPOCH, END, 100)));
            assertEquals(1, count(test, "ada"));
            test.database()
                    .run(sql -> SessionRows.forget(sql, new Retention.Span(Instant.EPOCH, END.plusMillis(1), 100)));
            assertEquals(0, count(test, "ada"));
        }
    }
}
