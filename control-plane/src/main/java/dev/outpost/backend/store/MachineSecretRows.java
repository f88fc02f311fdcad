package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Sql;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** The table of the names of the secrets that machines get. */
public final class MachineSecretRows {
    private MachineSecretRows() {}

    /** Returns the names in order. */
    public static List<String> names(Sql sql, UUID machine) {
        return sql.query(
                "SELECT name FROM machine_secrets WHERE machine = ? ORDER BY name COLLATE \"C\"",
                String.class,
                machine);
    }

    public static void add(Sql sql, UUID machine, Collection<String> names) {
        names.forEach(name -> sql.update(
                "INSERT INTO machine_secrets (machine, name) VALUES (?, ?) ON CONFLICT DO NOTHING", machine, name));
    }
}
