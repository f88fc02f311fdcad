package dev.outpost.support.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Fills the database of a backend with what many machines have left that are over.
 *
 * @param machines how many of them
 * @param events how many events they have all together
 * @param tenants how many organisations share them; half of all are of the organisation {@code default}
 */
public record PastMachines(int machines, int events, int tenants) {
    /** Fills a database that has the schema. What is there already stays. */
    public void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET history.machines = " + machines);
            statement.execute("SET history.events = " + events);
            statement.execute("SET history.tenants = " + tenants);
            // What is lost when the server dies is filled in again by whoever asked for it.
            statement.execute("SET synchronous_commit = off");
            for (String one : statements()) {
                statement.execute(one);
            }
            statement.execute("DROP TABLE past");
            // As autovacuum leaves tables that are long there.
            statement.execute("VACUUM (ANALYZE)");
        }
    }

    private static String[] statements() {
        try (InputStream text = PastMachines.class.getResourceAsStream("history.sql")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).split(";\\s*\n");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
