package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Sql;
import java.util.Optional;
import java.util.UUID;

/** The table of the traces of requests for machines. */
public final class TraceRows {
    private TraceRows() {}

    public static void add(Sql sql, UUID machine, String traceparent) {
        sql.update("INSERT INTO machine_traces (machine, traceparent) VALUES (?, ?)", machine, traceparent);
    }

    public static Optional<String> find(Sql sql, UUID machine) {
        return sql.one("SELECT traceparent FROM machine_traces WHERE machine = ?", String.class, machine);
    }
}
