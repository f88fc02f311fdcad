package dev.outpost.backend.faults;

import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import java.util.List;

/**
 * A database that is reset to its first state for each history. It keeps its connections and their query plans, which is much faster than
 * a new database. Not thread-safe.
 */
final class EmptiedDatabase implements AutoCloseable {
    private static final String KEPT = "at_first";

    private final TestDatabase test = TestDatabase.create();
    private final Database database = test.database();
    private final List<String> tables = database.transact(EmptiedDatabase::tables);
    private final List<String> filled;

    /** @param defect the defect to plant into the backend */
    EmptiedDatabase(Defect defect) {
        this.filled = database.transact(
                sql -> tables.stream().filter(table -> isFilled(sql, table)).toList());
        database.run(sql -> {
            sql.update("CREATE SCHEMA " + KEPT);
            filled.forEach(table -> sql.update("CREATE TABLE " + KEPT + "." + table + " AS TABLE public." + table));
        });
        defect.plant(database);
    }

    private static List<String> tables(Sql sql) {
        return sql.query(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
                        + " AND table_name <> 'flyway_schema_history'",
                row -> row.text("table_name"));
    }

    private static boolean isFilled(Sql sql, String table) {
        return sql.one("SELECT 1 FROM " + table + " LIMIT 1", row -> true).isPresent();
    }

    /** Returns the database in its first state. */
    TestDatabase emptied() {
        database.run(sql -> {
            sql.update("TRUNCATE " + String.join(", ", tables) + " RESTART IDENTITY");
            filled.forEach(table -> sql.update(
                    "INSERT INTO " + table + " OVERRIDING SYSTEM VALUE SELECT * FROM " + KEPT + "." + table));
        });
        return test;
    }

    @Override
    public void close() {
        test.close();
    }
}
