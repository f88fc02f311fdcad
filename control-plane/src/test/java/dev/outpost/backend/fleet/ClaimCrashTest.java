package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.usage.QuotaRecount;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A pool is filled, and one of its machines is claimed and ended, with the backend killed at each point between a commit and a call. The
 * next replica continues from the rows: the request has one machine, which no other request has or had, and no machine is left over.
 */
class ClaimCrashTest {
    private static final String TOKEN = "ab".repeat(32);
    private static final int MAX_POINTS = 400;
    private static final int MIN_POINTS = 30;
    private static final int ROUNDS = 8;
    private static final Duration LEASE = Duration.ofMinutes(1);

    @Test
    void noKillAtSomePointsOfAClaimLeaksOrSharesAMachine() {
        assertNoKillHarms(7);
    }

    @Test
    @Tag("full")
    void noKillDuringAClaimLeaksOrSharesAMachine() {
        assertNoKillHarms(1);
    }

    /** @param step the distance from one point to the next */
    private static void assertNoKillHarms(int step) {
        int points = 0;
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            while (points < MAX_POINTS && claimWithCrash(test, points + 1)) {
                points += step;
            }
        }
        assertTrue(points > MIN_POINTS && points < MAX_POINTS, points + " points were reached");
    }

    /** Returns true if that point was reached. */
    private static boolean claimWithCrash(TestDatabase test, int fatal) {
        PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
        CrashPoints points = new CrashPoints(fatal);
        Backend doomed = new Backend(points.source(test.source()), points.provider(supplier));
        Backend next = new Backend(test.source(), supplier);
        next.addCluster("host", 4);
        UUID id = UUID.randomUUID();
        String pool = "warm-" + fatal;
        boolean isKilled = Crash.isKilled(() -> {
            makePool(doomed, pool);
            fill(doomed);
            ask(doomed, id);
            doomed.drive();
            fill(doomed);
            doomed.end(id);
            doomed.round();
        });
        recover(test, next, supplier, id, pool, points.last());
        return isKilled;
    }

    private static void makePool(Backend backend, String name) {
        backend.database.run(sql -> {
            Pool pool = new Pool(
                    name, 1, "A100", 1, 1, Duration.ZERO, LEASE, false, 0, Optional.empty(), sql.now(), "made");
            PoolRows.insert(sql, pool, sql.now());
        });
    }

    private static void fill(Backend backend) {
        backend.pools.round();
        backend.round();
    }

    /** Writes the machine, its client's token and the claim in one transaction, as the API does. */
    private static void ask(Backend backend, UUID id) {
        Request request = new Request(
                "acme", "vision", "ada", "A100", 1, 1, Optional.empty(), Optional.of(LEASE), Optional.empty());
        backend.database.run(sql -> {
            if (backend.machines.create(sql, Machine.queued(id, request, Phase.POSITION, "it waits", sql.now()))) {
                GrantRows.add(sql, id, TOKEN, "ada", GrantTerms.ALL);
                backend.machines.apply(sql, id, new Observation.GrantsChanged());
                Machine row = MachineRows.lock(sql, id).orElseThrow();
                Pools.claim(sql, backend.machines, row)
                        .ifPresent(observation -> backend.machines.apply(sql, row, observation));
            }
        });
    }

    private static void recover(
            TestDatabase test, Backend next, PaperSupplier supplier, UUID id, String pool, String where) {
        makePool(next, pool);
        ask(next, id);
        for (int round = 0; round < ROUNDS; round++) {
            test.advance(Backend.LOCK.plusSeconds(1));
            fill(next);
            check(next, supplier, id, pool, where);
        }
        if (next.machine(id).phase() == Phase.READY) {
            assertEquals(List.of(TOKEN), tokens(supplier, next.machine(id)), where);
        }
        next.end(id);
        next.database.run(sql -> {
            PoolRows.lock(sql, pool).ifPresent(row -> next.pools.endMembers(sql, row));
            PoolRows.delete(sql, pool);
        });
        for (int round = 0; round < ROUNDS; round++) {
            test.advance(Backend.LOCK.plusSeconds(1));
            next.round();
            check(next, supplier, id, pool, where);
        }
        assertEquals(Phase.ENDED, next.machine(id).phase(), where);
        assertEquals(List.of(), supplier.open("test", Map.of()).list(), where);
    }

    private static List<String> tokens(PaperSupplier supplier, Machine row) {
        return supplier.grants(new MachineRef(row.suppliedAs().toString(), 1)).stream()
                .map(Grant::tokenSha256)
                .toList();
    }

    private static void check(Backend next, PaperSupplier supplier, UUID id, String pool, String where) {
        List<Machine> rows = rows(next, id, pool);
        List<UUID> supplied = rows.stream()
                .filter(row -> row.phase() != Phase.ENDED)
                .map(Machine::suppliedAs)
                .toList();
        assertEquals(supplied.size(), new HashSet<>(supplied).size(), () -> "two rows have one machine: " + where);
        List<MachineObservation> there = supplier.open("test", Map.of()).list();
        assertTrue(there.size() <= 2, () -> there + ", killed " + where);
        for (MachineObservation one : there) {
            // A machine that was claimed once never returns to the pool.
            MachineRef ref = one.machine();
            boolean isWarm = rows.stream()
                    .anyMatch(row -> row.id().toString().equals(ref.id())
                            && row.phase() == Phase.READY
                            && row.request().organisation().equals(Pool.ORGANISATION));
            assertTrue(!isWarm || supplier.grants(ref).isEmpty(), where);
        }
        rows.forEach(row -> checkLedger(next, row, where));
        assertEquals(next.database.transact(QuotaRecount::of), next.database.transact(QuotaRows::counters), where);
        long claimed = rows.stream()
                .filter(row -> row.endReason().filter(EndReason.CLAIMED::equals).isPresent())
                .count();
        assertTrue(claimed <= 1, where);
        assertEquals(claimed == 1, next.machine(id).member().isPresent(), where);
    }

    private static void checkLedger(Backend next, Machine row, String where) {
        assertEquals(
                Ledger.usages(next.database.transact(sql -> EventRows.ofMachine(sql, row.id(), 0, 1_000)).stream()
                        .map(EventRows.Told::event)
                        .toList()),
                next.database.transact(sql -> UsageRows.ofMachine(sql, row.id())).stream()
                        .map(UsageRows.Used::usage)
                        .toList(),
                where);
    }

    /** The row of the request, and the rows of all machines that were ever in the pool. */
    private static List<Machine> rows(Backend next, UUID id, String pool) {
        List<Machine> all = new ArrayList<>(List.of(next.machine(id)));
        all.addAll(next.database.transact(sql -> MachineRows.page(
                sql, Pool.ORGANISATION, Optional.of(pool), MachineRows.Listed.ALL, Optional.empty(), 100)));
        return all;
    }
}
