package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.UsageInterval;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.QuotaRecount;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A machine's whole life, with the backend killed at each point between a commit and a call, one after the other: it starts, another token
 * is granted and revoked, it is unreachable and reachable again, it ends. The next replica continues from the rows: there is one machine,
 * it becomes ready, it accepts its tokens and no others, it ends, and nothing is left of it or charged twice.
 */
class CrashEnumerationTest {
    private static final String TOKEN = "ab".repeat(32);
    private static final String GUEST = "cd".repeat(32);
    private static final int MAX_POINTS = 400;
    private static final int ROUNDS = 8;

    @Test
    void noKillAtSomePointsOfALifeLosesOrDoublesAMachine() {
        assertNoKillHarms(false, 30, 7);
    }

    @Test
    @Tag("full")
    void noKillDuringALifeLosesOrDoublesAMachine() {
        assertNoKillHarms(false, 30, 1);
    }

    @Test
    @Tag("full")
    void noKillDuringSharingOrLossLosesOrDoublesAMachine() {
        assertNoKillHarms(true, 80, 1);
    }

    /**
     * @param isLong true if another token is also granted and revoked, and the machine is lost and found again
     * @param step the distance from one point to the next
     */
    private static void assertNoKillHarms(boolean isLong, int min, int step) {
        int points = 0;
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            while (points < MAX_POINTS && liveWithCrash(test, points + 1, isLong)) {
                points += step;
            }
        }
        assertTrue(points >= min, "only " + points + " points were reached");
        assertTrue(points < MAX_POINTS, "the life does not come to its end");
    }

    /** Returns true if that point was reached. */
    private static boolean liveWithCrash(TestDatabase test, int fatal, boolean isLong) {
        PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
        CrashPoints points = new CrashPoints(fatal);
        Backend doomed = new Backend(points.source(test.source()), points.provider(supplier));
        Backend next = new Backend(test.source(), supplier);
        next.addCluster("host", 4);
        UUID id = UUID.randomUUID();
        boolean killed = Crash.isKilled(() -> start(doomed, id))
                || isLong && Crash.isKilled(() -> use(doomed, supplier, id))
                || Crash.isKilled(() -> end(doomed, id));
        recover(test, next, supplier, id, isLong, points.last());
        return killed;
    }

    private static void start(Backend backend, UUID id) {
        ask(backend, id);
        backend.round();
        backend.round();
        assertEquals(Phase.READY, backend.machine(id).phase());
    }

    /** Writes the machine and its client's token in one transaction, as the API does. */
    private static void ask(Backend backend, UUID id) {
        backend.database.run(sql -> {
            Machine machine = Machine.queued(
                    id, MachineRequestFixtures.of("vision", "A100"), Phase.POSITION, "it waits", sql.now());
            if (backend.machines.create(sql, machine)) {
                GrantRows.add(sql, id, TOKEN, "ada", GrantTerms.ALL);
                backend.machines.apply(sql, id, new Observation.GrantsChanged());
            }
        });
    }

    private static void use(Backend backend, PaperSupplier supplier, UUID id) {
        letInAndTakeBack(backend, id);
        loseAndFind(backend, supplier, id);
    }

    private static void letInAndTakeBack(Backend backend, UUID id) {
        change(backend, id, sql -> GrantRows.add(sql, id, GUEST, "bob", GrantTerms.ALL));
        backend.round();
        change(backend, id, sql -> GrantRows.revoke(sql, id, GUEST));
        backend.round();
    }

    private static void change(Backend backend, UUID id, Predicate<Sql> change) {
        backend.database.run(sql -> {
            if (change.test(sql)) {
                backend.machines.apply(sql, id, new Observation.GrantsChanged());
            }
        });
    }

    private static void loseAndFind(Backend backend, PaperSupplier supplier, UUID id) {
        supplier.become(new MachineRef(id.toString(), 1), MachinePhase.UNREACHABLE, "its node is silent");
        backend.round();
        assertEquals(Phase.LOST, backend.machine(id).phase());
        find(supplier);
        backend.round();
        assertEquals(Phase.READY, backend.machine(id).phase());
    }

    /** Makes unreachable machines reachable again. */
    private static void find(PaperSupplier supplier) {
        supplier.open("test", Map.of()).list().stream()
                .filter(observation -> observation.state() == MachinePhase.UNREACHABLE)
                .forEach(observation -> supplier.become(observation.machine(), MachinePhase.READY, "folded"));
    }

    private static void end(Backend backend, UUID id) {
        backend.end(id);
        backend.round();
        backend.round();
        assertEquals(Phase.ENDED, backend.machine(id).phase());
    }

    /** Repeats the client's request and lets another replica continue. */
    private static void recover(
            TestDatabase test, Backend next, PaperSupplier supplier, UUID id, boolean isLong, String where) {
        ask(next, id);
        find(supplier);
        for (int round = 0; round < ROUNDS; round++) {
            test.advance(Backend.LOCK.plusSeconds(1));
            next.round();
            check(next, supplier, id, where);
        }
        if (isLong) {
            letInAndTakeBack(next, id);
            next.round();
        }
        assertTrue(supplier.made() <= 1, () -> supplier.made() + " machines were made, killed " + where);
        if (next.machine(id).phase() == Phase.READY) {
            MachineRef ref = new MachineRef(id.toString(), 1);
            assertEquals(
                    List.of(TOKEN),
                    supplier.grants(ref).stream().map(Grant::tokenSha256).toList(),
                    where);
        }
        next.end(id);
        for (int round = 0; round < ROUNDS; round++) {
            next.round();
            test.advance(Duration.ofSeconds(5));
            check(next, supplier, id, where);
        }
        assertEquals(Phase.ENDED, next.machine(id).phase(), where);
        assertEquals(List.of(), supplier.open("test", Map.of()).list(), where);
    }

    private static void check(Backend next, PaperSupplier supplier, UUID id, String where) {
        Machine row = next.machine(id);
        List<MachineEvent> events = next.database.transact(sql -> EventRows.ofMachine(sql, id, 0, 1_000)).stream()
                .map(EventRows.Told::event)
                .toList();
        List<UsageInterval> charged = next.database.transact(sql -> UsageRows.ofMachine(sql, id)).stream()
                .map(UsageRows.Used::usage)
                .toList();
        assertEquals(Ledger.usages(events), charged, where);
        boolean isOpen = !charged.isEmpty() && charged.getLast().to().isEmpty();
        assertEquals(row.phase() == Phase.READY, isOpen, () -> row + ", killed " + where);
        assertEquals(next.database.transact(QuotaRecount::of), next.database.transact(QuotaRows::counters), where);
        assertTrue(supplier.open("test", Map.of()).list().size() <= 1, where);
    }
}
