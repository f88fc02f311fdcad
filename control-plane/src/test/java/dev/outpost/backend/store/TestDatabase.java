package dev.outpost.backend.store;

import dev.outpost.backend.postgres.PostgresServer;
import dev.outpost.backend.postgres.Tools;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.support.tests.Await;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** A separate database on a server that all tests of this JVM share, with a clock that only tests move. */
public final class TestDatabase implements AutoCloseable {
    public static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    private static final AtomicInteger DRAWN = new AtomicInteger();

    /** A database with the schema; other databases are copies of it. */
    private static final String REAL_CLOCK = "real_clock";

    /** The template with a clock that only tests move. */
    private static final String SIMULATED_CLOCK = "simulated_clock";

    /** Users of the server, which are closed before it. */
    private static final List<Runnable> USERS = new CopyOnWriteArrayList<>();

    private static final class Shared {
        static final Path FOLDER = folder();
        static final PostgresServer SERVER = start();

        static {
            // The server is as durable as a backend's. A test's data need not survive a power cut.
            execute("ALTER ROLE " + SERVER.user() + " SET synchronous_commit = off");
            migrate(REAL_CLOCK, "latest");
            execute("CREATE DATABASE " + SIMULATED_CLOCK + " TEMPLATE " + REAL_CLOCK);
            simulateClock(SIMULATED_CLOCK);
        }

        private static Path folder() {
            try {
                return Files.createTempDirectory("outpost-test-database");
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private static PostgresServer start() {
            try {
                PostgresServer server = PostgresServer.start(FOLDER, Tools.ofPath());
                Runtime.getRuntime().addShutdownHook(new Thread(Shared::stop));
                return server;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        /** SIGQUIT stops the server without a checkpoint, which would write some 30,000 files that are deleted next. */
        private static void stop() {
            USERS.forEach(Runnable::run);
            try {
                Path pidFile = FOLDER.resolve("database").resolve("postmaster.pid");
                String pid = Files.readAllLines(pidFile).getFirst().strip();
                new ProcessBuilder("kill", "-QUIT", pid).start().waitFor();
                ProcessHandle.of(Long.parseLong(pid))
                        .ifPresent(postmaster -> postmaster.onExit().join());
                new ProcessBuilder("rm", "-rf", FOLDER.toString()).start().waitFor();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final String name;
    private final AgroalDataSource source;

    private TestDatabase(String name) {
        this.name = name;
        this.source = pool(urlOf(name));
    }

    /** Runs the task when this JVM ends, before the server is stopped. */
    public static void beforeTheEnd(Runnable action) {
        USERS.add(action);
    }

    /** An empty database with the schema, whose clock stands at {@link #START}. */
    public static TestDatabase create() {
        return copyOf(SIMULATED_CLOCK);
    }

    /** An empty database with the schema, which uses the server's clock. */
    public static TestDatabase withRealClock() {
        return copyOf(REAL_CLOCK);
    }

    /** A database with the schema of an older version, which uses the server's clock. */
    static TestDatabase ofSchema(String version) {
        String name = "test" + DRAWN.incrementAndGet();
        migrate(name, version);
        return new TestDatabase(name);
    }

    /** Migrates the schema to the newest version. */
    void upgrade() {
        flyway(name, "latest").migrate();
    }

    private static TestDatabase copyOf(String template) {
        PostgresServer server = Shared.SERVER;
        String name = "test" + DRAWN.incrementAndGet();
        // A template must have no other connection, and two concurrent copies would be two connections.
        synchronized (server) {
            execute("CREATE DATABASE " + name + " TEMPLATE " + template);
        }
        return new TestDatabase(name);
    }

    private static void migrate(String name, String version) {
        execute("CREATE DATABASE " + name);
        flyway(name, version).migrate();
    }

    private static Flyway flyway(String name, String version) {
        return Flyway.configure()
                .dataSource(urlOf(name), Shared.SERVER.user(), Shared.SERVER.password())
                .target(version)
                .load();
    }

    private static void simulateClock(String name) {
        try (AgroalDataSource source = pool(urlOf(name))) {
            new Database(source).run(sql -> {
                sql.update("CREATE TABLE simulated_clock (now timestamptz NOT NULL)");
                sql.update("INSERT INTO simulated_clock VALUES (?)", START);
                sql.update("CREATE OR REPLACE FUNCTION outpost_now() RETURNS timestamptz LANGUAGE sql STABLE"
                        + " AS 'SELECT now FROM simulated_clock'");
            });
        }
    }

    private static String urlOf(String name) {
        return Shared.SERVER.url().replaceAll("/[^/]*$", "/" + name);
    }

    private static AgroalDataSource pool(String url) {
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(16)
                            .acquisitionTimeout(Await.GUARD)
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(url)
                                    .principal(new NamePrincipal(Shared.SERVER.user()))
                                    .credential(new SimplePassword(Shared.SERVER.password())))));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void execute(String statement) {
        try (Connection connection = DriverManager.getConnection(
                        Shared.SERVER.url(), Shared.SERVER.user(), Shared.SERVER.password());
                Statement made = connection.createStatement()) {
            made.execute(statement);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public DataSource source() {
        return source;
    }

    public Database database() {
        return new Database(source);
    }

    public String url() {
        return urlOf(name);
    }

    /** The server's log. */
    public static Path log() {
        return Shared.FOLDER.resolve("database.log");
    }

    public static String user() {
        return Shared.SERVER.user();
    }

    public static String password() {
        return Shared.SERVER.password();
    }

    public void advance(Duration time) {
        database()
                .run(sql -> sql.update(
                        "UPDATE simulated_clock SET now = now + ? * interval '1 millisecond'", time.toMillis()));
    }

    /** Adds an organisation {@code acme} with these projects. */
    public TestDatabase withProjects(String... names) {
        database().run(sql -> {
            TenantRows.addOrganisation(sql, "acme");
            for (String name : names) {
                TenantRows.addProject(sql, "acme", name, 0);
            }
        });
        return this;
    }

    @Override
    public void close() {
        source.close();
    }
}
