package dev.outpost.backend.simulation;

import dev.outpost.backend.store.sql.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of a simulation, which its database also uses. Only one thread may move it. */
final class VirtualClock implements InstantSource {
    private final Database database;
    private Instant now;

    private VirtualClock(Database database, Instant now) {
        this.database = database;
        this.now = now;
    }

    /** Makes a virtual clock, and installs it as the database's clock. */
    static VirtualClock install(Database database, Instant start) {
        database.run(sql -> {
            sql.update("CREATE TABLE simulated_clock (now timestamptz NOT NULL)");
            sql.update("INSERT INTO simulated_clock VALUES (?)", start);
            sql.update("CREATE OR REPLACE FUNCTION outpost_now() RETURNS timestamptz LANGUAGE sql STABLE"
                    + " AS 'SELECT now FROM simulated_clock'");
        });
        return new VirtualClock(database, start);
    }

    void advance(Duration time) {
        now = now.plus(time);
        database.run(sql -> sql.update("UPDATE simulated_clock SET now = ?", now));
    }

    @Override
    public Instant instant() {
        return now;
    }
}
