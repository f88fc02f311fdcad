package dev.outpost.backend.store;

import dev.outpost.backend.model.LifeSettings;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Quota;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Requests for machines, for tests. */
public final class MachineRequestFixtures {
    public static final LifeSettings SETTINGS = new LifeSettings(Duration.ofMinutes(15), Duration.ofMinutes(1));

    private MachineRequestFixtures() {}

    public static Request of(String project, String gpu) {
        return of("acme", project, gpu);
    }

    public static Request of(String organisation, String project, String gpu) {
        return new Request(
                organisation,
                project,
                "ada",
                gpu,
                1,
                1,
                Optional.of(Duration.ofHours(2)),
                Optional.empty(),
                Optional.empty());
    }

    /** Creates a machine as the API does: it holds its quota or waits for it. */
    public static UUID create(Database database, Machines machines, Request request) {
        UUID id = UUID.randomUUID();
        create(database, machines, request, id);
        return id;
    }

    public static boolean create(Database database, Machines machines, Request request, UUID id) {
        return database.transact(sql -> {
            Instant now = sql.now();
            Optional<Quota.Excess> excess = QuotaRows.check(sql, request, now);
            Phase phase = excess.isPresent() ? Phase.QUOTA : Phase.POSITION;
            return machines.create(sql, Machine.queued(id, request, phase, "it waits", now));
        });
    }
}
