package dev.outpost.backend.fleet;

import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.time.InstantSource;

/** The database's time, for suppliers in tests. */
public record DatabaseClock(Database database) implements InstantSource {
    @Override
    public Instant instant() {
        return database.transact(Sql::now);
    }
}
