package dev.outpost.backend.store.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.store.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests concurrent transactions. */
class DatabaseTest {
    private final TestDatabase test = TestDatabase.create();

    @AfterEach
    void close() {
        test.close();
    }

    /** During an upgrade the new replica migrates the schema for which the old one has prepared statements. */
    @Test
    void preparedStatementsSurviveAMigration() throws SQLException {
        test.database().run(sql -> sql.update("CREATE TABLE things (name text)"));
        // PostgreSQL keeps the plan of a statement that the driver has sent five times.
        for (int i = 0; i < 20; i++) {
            assertEquals(0, count());
        }
        try (Connection other = DriverManager.getConnection(test.url(), TestDatabase.user(), TestDatabase.password());
                Statement migration = other.createStatement()) {
            migration.execute("ALTER TABLE things ADD COLUMN size int");
        }
        assertEquals(0, count());
    }

    private int count() {
        return test.database()
                .transact(sql -> sql.query("SELECT * FROM things", row -> row.text("name")))
                .size();
    }
}
