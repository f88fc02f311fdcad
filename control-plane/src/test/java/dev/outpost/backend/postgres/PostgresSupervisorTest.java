package dev.outpost.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an embedded PostgreSQL is started again after it has ended. */
class PostgresSupervisorTest {
    /** A server that ends on request, and whose start succeeds only at the given attempt. */
    private static final class Paper implements PostgresSupervisor.Server {
        private final AtomicInteger attempts = new AtomicInteger();
        private final int succeeds;
        private volatile boolean running = true;
        private volatile boolean closed;

        Paper(int succeeds) {
            this.succeeds = succeeds;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public void restart() throws IOException {
            if (attempts.incrementAndGet() < succeeds) {
                throw new IOException("no space left");
            }
            running = true;
        }

        @Override
        public String log() {
            return "/data/database.log";
        }

        @Override
        public void boundLog() {}

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void failedStartsAreRepeatedWithPausesThatGrow() throws Exception {
        Paper server = new Paper(9);
        List<Duration> pauses = new CopyOnWriteArrayList<>();
        List<Optional<String>> troubles = new CopyOnWriteArrayList<>();
        PostgresSupervisor[] supervisor = new PostgresSupervisor[1];
        CountDownLatch ready = new CountDownLatch(1);
        supervisor[0] = PostgresSupervisor.start(server, time -> {
            ready.await();
            if (time.compareTo(Duration.ofSeconds(1)) >= 0) {
                pauses.add(time);
                troubles.add(supervisor[0].trouble());
            } else {
                Thread.sleep(1);
            }
        });
        ready.countDown();
        server.running = false;
        Await.until("it runs again", () -> supervisor[0].restarts() == 1);
        assertEquals(
                List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L),
                pauses.stream().map(Duration::toSeconds).toList());
        String trouble = troubles.getFirst().orElseThrow();
        assertTrue(trouble.contains("its log is /data/database.log"), trouble);
        assertTrue(trouble.contains("it cannot be started: no space left"), trouble);
        assertEquals(Optional.empty(), supervisor[0].trouble());
        supervisor[0].close();
        assertTrue(server.closed);
    }

    @Test
    void killedServerServesAgainAtTheSameAddress(@TempDir Path folder) throws Exception {
        // The server's user needs access, as it has to a system folder.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        PostgresServer server = PostgresServer.start(folder, Tools.ofPath());
        try (PostgresSupervisor supervisor = PostgresSupervisor.of(server)) {
            execute(server, "CREATE TABLE kept AS SELECT 7 AS n");
            String pid = Files.readAllLines(folder.resolve("database").resolve("postmaster.pid"))
                    .getFirst()
                    .strip();
            new ProcessBuilder("kill", "-KILL", pid).start().waitFor();
            Await.until("it runs again", () -> supervisor.restarts() == 1);
            assertEquals(Optional.empty(), supervisor.trouble());
            execute(server, "INSERT INTO kept VALUES (8)");
        }
    }

    /** Each connection without the password writes a line to the log, and any process of the host can connect. */
    @Test
    void logIsCutWhileTheServerWritesIt(@TempDir Path folder) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        PostgresServer server = PostgresServer.start(folder, Tools.ofPath());
        try (PostgresSupervisor supervisor = PostgresSupervisor.of(server)) {
            Path log = Path.of(server.log());
            Files.writeString(log, "x".repeat(Math.toIntExact(PostgresServer.LONGEST_LOG)), StandardOpenOption.APPEND);
            Await.until("the log is cut", () -> size(log) < PostgresServer.LONGEST_LOG);
            long older = size(log.resolveSibling("database.log.1"));
            assertTrue(older > PostgresServer.LONGEST_LOG, () -> "the older log has " + older + " bytes");
            assertThrows(SQLException.class, () -> execute(server, "SELECT missing"));
            Await.until("the server writes on", () -> read(log).contains("missing"));
            assertTrue(size(log) < 10_000, () -> "no gap is left where the log was cut");
            assertEquals(0, supervisor.restarts());
        }
    }

    private static long size(Path file) {
        return read(file).length();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void execute(PostgresServer server, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement made = connection.createStatement()) {
            made.execute(statement);
        }
    }
}
