package dev.outpost.backend.store.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuotaRowsTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision", "speech");
    private final Database database = test.database();
    private final Machines machines = new Machines(MachineRequestFixtures.SETTINGS);

    @AfterEach
    void close() {
        test.close();
    }

    private void limit(String project, QuotaResource resource, long allowed) {
        QuotaLimit limit = new QuotaLimit(QuotaScope.PROJECT, resource, Optional.empty(), allowed);
        database.run(sql -> QuotaRows.set(sql, "acme", Optional.of(project), limit, Optional.empty()));
    }

    private long holding() {
        return database
                .transact(sql -> MachineRows.page(
                        sql, "acme", Optional.empty(), MachineRows.Listed.LIVE, Optional.empty(), 1_000))
                .stream()
                .filter(Machine::holdsQuota)
                .count();
    }

    private void assertCountersAreTrue() {
        List<QuotaRows.Counter> counters = database.transact(QuotaRows::counters);
        assertEquals(database.transact(QuotaRecount::of), counters);
    }

    @Test
    void concurrentRequestsDoNotExceedTheQuota() {
        limit("vision", QuotaResource.GPUS, 5);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                threads.submit(() ->
                        MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100")));
            }
        }
        assertEquals(5, holding());
        assertCountersAreTrue();
    }

    @Test
    void countersEqualARecount() {
        limit("vision", QuotaResource.MACHINES, 6);
        Random random = new Random(3);
        List<UUID> ids = new ArrayList<>();
        for (int step = 0; step < 150; step++) {
            if (ids.isEmpty() || random.nextInt(3) == 0) {
                String gpu = random.nextBoolean() ? "A100" : "L4";
                ids.add(MachineRequestFixtures.create(
                        database,
                        machines,
                        MachineRequestFixtures.of(random.nextBoolean() ? "vision" : "speech", gpu)));
            } else {
                UUID id = ids.get(random.nextInt(ids.size()));
                Observation observation = draw(random);
                database.run(sql -> machines.apply(sql, id, observation));
            }
        }
        assertCountersAreTrue();
    }

    @Test
    void aTransactionThatCountsHoldsUpNoOther() {
        Request request = MachineRequestFixtures.of("vision", "A100");
        MachineRequestFixtures.create(database, machines, request);
        database.run(sql -> {
            create(sql, request);
            // This would wait for the transaction and fail if the counters were locked before its end.
            database.run(other -> {
                other.update("SET LOCAL lock_timeout = '3min'");
                create(other, request);
            });
        });
        assertEquals(3, holding());
        assertCountersAreTrue();
    }

    @Test
    void foldedCountersAreWhatWasCounted() {
        Request request = MachineRequestFixtures.of("vision", "A100");
        UUID first = MachineRequestFixtures.create(database, machines, request);
        MachineRequestFixtures.create(database, machines, request);
        QuotaRows.fold(database);
        assertCountersAreTrue();
        assertEquals(0, changes());
        database.run(sql -> machines.apply(sql, first, new Observation.EndAsked("enough")));
        database.run(sql -> machines.apply(sql, first, new Observation.Missing(1)));
        assertCountersAreTrue();
        QuotaRows.fold(database);
        assertCountersAreTrue();
        assertEquals(0, changes());
    }

    @Test
    void foldingHoldsUpNoTransactionThatCounts() {
        Request request = MachineRequestFixtures.of("vision", "A100");
        MachineRequestFixtures.create(database, machines, request);
        database.run(sql -> {
            QuotaCounts.fold(sql, "acme");
            database.run(other -> {
                other.update("SET LOCAL lock_timeout = '3min'");
                create(other, request);
            });
        });
        assertCountersAreTrue();
        assertTrue(changes() > 0, "the later change is still to be added");
    }

    @Test
    void requestsAndFoldingOnManyThreadsKeepTheCountersTrue() {
        limit("vision", QuotaResource.GPUS, 30);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                threads.submit(() ->
                        MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100")));
                threads.submit(() ->
                        MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("speech", "A100")));
                threads.submit(() -> QuotaRows.fold(database));
            }
        }
        assertEquals(40, holding());
        QuotaRows.fold(database);
        assertEquals(0, changes());
        assertCountersAreTrue();
    }

    private long changes() {
        return database.transact(
                sql -> sql.one("SELECT count(*) AS changes FROM quota_changes", row -> row.number("changes"))
                        .orElseThrow());
    }

    @Test
    void aTransactionReadsItsOwnCounters() {
        QuotaLimit two = new QuotaLimit(QuotaScope.PROJECT, QuotaResource.MACHINES, Optional.empty(), 2);
        Request request = MachineRequestFixtures.of("vision", "A100");
        long used = database.transact(sql -> {
            create(sql, request);
            return QuotaRows.used(sql, request, two, sql.now());
        });
        assertEquals(1, used);
        assertCountersAreTrue();
    }

    private void create(Sql sql, Request request) {
        machines.create(sql, Machine.queued(UUID.randomUUID(), request, Phase.POSITION, "it waits", sql.now()));
    }

    private static Observation draw(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> new Observation.EndAsked("enough");
            case 1 -> new Observation.Missing(1);
            case 2 -> new Observation.Refused(1, "no");
            default -> new Observation.Tick();
        };
    }

    @Test
    void staleChangeOfALimitIsRefused() {
        QuotaLimit four = new QuotaLimit(QuotaScope.ORGANISATION, QuotaResource.GPUS, Optional.empty(), 4);
        QuotaLimit five = new QuotaLimit(QuotaScope.ORGANISATION, QuotaResource.GPUS, Optional.empty(), 5);
        assertTrue(set(four, 0));
        assertFalse(set(five, 0), "there is one already");
        assertTrue(set(five, 1));
        assertFalse(set(four, 1), "it is of version 2 by now");
    }

    private boolean set(QuotaLimit limit, long version) {
        return database.transact(sql -> QuotaRows.set(sql, "acme", Optional.empty(), limit, Optional.of(version)));
    }
}
