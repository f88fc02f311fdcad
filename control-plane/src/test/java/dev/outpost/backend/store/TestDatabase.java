package dev.outpost.backend.store;

import dev.outpost.backend.postgres.PostgresServer;
import dev.outpost.backend.postgres.Tools;
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
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** A database of its own on a server that all tests of this JVM share, with a clock that only tests move. */
public final class TestDatabase implements AutoCloseable {
    public static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    private static final AtomicInteger DRAWN = new AtomicInteger();

    /** The users of the server, which end before it. */
    private static final List<Runnable> USERS = new CopyOnWriteArrayList<>();

    private static final class Shared {
        static final Path FOLDER = folder();
        static final PostgresServer SERVER = start();

        private static Path folder() {
            try {
                return Files.createTempDirectory("outpost-test-database");
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        private static PostgresServer start() {
            try {
                PostgresServer server = PostgresServer.start(FOLDER, Tools.ofPath());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
                return server;
            } catch (IOException refused) {
                throw new UncheckedIOException(refused);
            }
        }

        private static void stop(PostgresServer server) {
            USERS.forEach(Runnable::run);
            try (Stream<Path> files = Files.walk(FOLDER)) {
                server.close();
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    private final String url;
    private final AgroalDataSource source;

    private TestDatabase(String url, AgroalDataSource source) {
        this.url = url;
        this.source = source;
    }

    /** Done when this JVM ends, before the server is stopped. */
    public static void beforeTheEnd(Runnable action) {
        USERS.add(action);
    }

    /** An empty one with the schema; its clock stands at {@link #START}. */
    public static TestDatabase create() {
        TestDatabase made = withRealClock();
        made.database().run(sql -> {
            sql.update("CREATE TABLE simulated_clock (now timestamptz NOT NULL)");
            sql.update("INSERT INTO simulated_clock VALUES (?)", START);
            sql.update("CREATE OR REPLACE FUNCTION outpost_now() RETURNS timestamptz LANGUAGE sql STABLE"
                    + " AS 'SELECT now FROM simulated_clock'");
        });
        return made;
    }

    /** One whose time is the server's. */
    public static TestDatabase withRealClock() {
        String name = "test" + DRAWN.incrementAndGet();
        execute("CREATE DATABASE " + name);
        String url = Shared.SERVER.url().replaceAll("/[^/]*$", "/" + name);
        AgroalDataSource source = pool(url);
        Flyway.configure().dataSource(source).load().migrate();
        return new TestDatabase(url, source);
    }

    private static AgroalDataSource pool(String url) {
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(16)
                            .acquisitionTimeout(Await.GUARD)
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(url)
                                    .principal(new NamePrincipal(Shared.SERVER.user()))
                                    .credential(new SimplePassword(Shared.SERVER.password())))));
        } catch (SQLException refused) {
            throw new IllegalStateException(refused);
        }
    }

    private static void execute(String statement) {
        try (Connection connection = DriverManager.getConnection(
                        Shared.SERVER.url(), Shared.SERVER.user(), Shared.SERVER.password());
                Statement made = connection.createStatement()) {
            made.execute(statement);
        } catch (SQLException refused) {
            throw new IllegalStateException(refused);
        }
    }

    public DataSource source() {
        return source;
    }

    public Database database() {
        return new Database(source);
    }

    public String url() {
        return url;
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

    /** An organisation {@code acme} with these projects. */
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
