package dev.outpost.backend.simulation;

import dev.outpost.backend.postgres.PostgresServer;
import dev.outpost.backend.postgres.Tools;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The simulation's own database server in a temporary folder, with a database for each run. */
final class SimulationDatabase implements AutoCloseable {
    private final Path folder;
    private final PostgresServer server;
    private int drawn;

    private SimulationDatabase(Path folder, PostgresServer server) {
        this.folder = folder;
        this.server = server;
    }

    static SimulationDatabase start() throws IOException {
        Path folder = Files.createTempDirectory("outpost-simulation");
        SimulationDatabase made = new SimulationDatabase(folder, PostgresServer.start(folder, Tools.ofPath()));
        made.neverWaitForTheDisk();
        return made;
    }

    /** Sets the server not to wait for the disk, because its data is deleted after the simulation. */
    private void neverWaitForTheDisk() {
        try (AgroalDataSource admin = open(server.url())) {
            execute(admin, "ALTER SYSTEM SET fsync = off");
            execute(admin, "ALTER SYSTEM SET full_page_writes = off");
            execute(admin, "ALTER SYSTEM SET synchronous_commit = off");
            execute(admin, "SELECT pg_reload_conf()");
        }
    }

    /** Makes an empty database with the schema. */
    AgroalDataSource create() {
        String name = "simulation" + ++drawn;
        try (AgroalDataSource admin = open(server.url())) {
            execute(admin, "CREATE DATABASE " + name);
        }
        AgroalDataSource made = open(server.url().replaceAll("/[^/?]*(\\?.*)?$", "/" + name + "$1"));
        Flyway.configure().dataSource(made).load().migrate();
        return made;
    }

    private AgroalDataSource open(String url) {
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(4)
                            .acquisitionTimeout(Duration.ofSeconds(20))
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(url)
                                    .principal(new NamePrincipal(server.user()))
                                    .credential(new SimplePassword(server.password())))));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void execute(DataSource source, String statement) {
        try (Connection connection = source.getConnection();
                Statement made = connection.createStatement()) {
            made.execute(statement);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
