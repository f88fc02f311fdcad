package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.MachineSecretRows;
import dev.outpost.backend.store.job.SecretRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Opens the sealed secrets of a machine's sources. A secret that was removed since the request is left out. */
public final class MachineSecrets implements Function<Machine, Map<String, String>> {
    private final Database database;
    private final SealKeys seals;

    public MachineSecrets(Database database, SealKeys seals) {
        this.database = database;
        this.seals = seals;
    }

    /** Returns the values by their names. */
    @Override
    public Map<String, String> apply(Machine row) {
        return database.transact(sql -> values(sql, row));
    }

    private Map<String, String> values(Sql sql, Machine row) {
        String organisation = row.request().organisation();
        String project = row.request().project();
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : MachineSecretRows.names(sql, row.id())) {
            SecretRows.find(sql, organisation, project, name)
                    .map(stored -> seals.open(SecretRows.place(organisation, project, name), stored.value()))
                    .ifPresent(value -> values.put(name, new String(value, StandardCharsets.UTF_8)));
        }
        return values;
    }
}
