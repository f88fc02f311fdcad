package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Deployment;
import dev.outpost.backend.model.Phase;
import dev.outpost.backend.model.Replica;
import dev.outpost.backend.model.Scale;
import dev.outpost.backend.store.DeploymentRows;
import dev.outpost.backend.store.DeploymentRows.Key;
import dev.outpost.backend.store.QuotaRows;
import dev.outpost.backend.store.ReplicaRows;
import dev.outpost.backend.store.Sql;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.provider.fleet.PaperSupplier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A deployment starts a replica, rolls to another revision and is removed, with the backend killed at each point between a commit and a
 * call. The next replica of the backend goes on from the rows: there is one replica of the new revision, and nothing is left over when the
 * deployment is gone.
 */
class DeploymentCrashTest {
    private static final int MOST_POINTS = 600;
    private static final int LEAST_POINTS = 30;
    private static final int ROUNDS = 6;
    private static final Scale ONE = new Scale(1, 1, 16, Duration.ofMinutes(5));

    @Test
    void killsAtSomePointsLeakNoReplica() {
        killAtEach(9);
    }

    @Test
    @Tag("full")
    void noKillLeaksAReplica() {
        killAtEach(1);
    }

    private static void killAtEach(int step) {
        int point = 1;
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            while (point < MOST_POINTS && liveWithCrash(test, point)) {
                point += step;
            }
        }
        assertTrue(point > LEAST_POINTS && point < MOST_POINTS, point + " points were reached");
    }

    /** Answers whether that point was reached. */
    private static boolean liveWithCrash(TestDatabase test, int fatal) {
        PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
        CrashPoints points = new CrashPoints(fatal);
        Backend doomed = new Backend(points.source(test.source()), points.provider(supplier));
        Backend next = new Backend(test.source(), supplier);
        next.addCluster("host", 4);
        Key key = new Key("acme", "chat-" + fatal);
        boolean isKilled = isKilled(() -> {
            make(doomed, key);
            rounds(test, doomed, key, 2);
            roll(doomed, key);
            rounds(test, doomed, key, 3);
            remove(doomed, key);
            rounds(test, doomed, key, 2);
        });
        recover(test, next, supplier, key, points.last());
        return isKilled;
    }

    private static boolean isKilled(Runnable work) {
        try {
            work.run();
            return false;
        } catch (Crash killed) {
            return true;
        }
    }

    private static void recover(TestDatabase test, Backend next, PaperSupplier supplier, Key key, String where) {
        boolean isRemoved = next.database
                .transact(sql -> DeploymentRows.find(sql, key))
                .filter(Deployment::isRemoved)
                .isPresent();
        if (!isRemoved) {
            make(next, key);
            roll(next, key);
            for (int round = 0; round < ROUNDS; round++) {
                test.advance(Backend.LOCK.plusSeconds(1));
                round(next, key);
                int there = supplier.open("test", Map.of()).list().size();
                assertTrue(there <= 2, there + " machines, killed " + where);
            }
            List<Replica> replicas = next.database.transact(sql -> ReplicaRows.of(sql, key));
            assertEquals(1, replicas.size(), () -> replicas + ", killed " + where);
            assertEquals(2, replicas.getFirst().revision(), where);
            assertEquals(Phase.READY, replicas.getFirst().phase(), where);
            remove(next, key);
        }
        for (int round = 0; round < ROUNDS; round++) {
            test.advance(Backend.LOCK.plusSeconds(1));
            round(next, key);
        }
        assertEquals(Optional.empty(), next.database.transact(sql -> DeploymentRows.find(sql, key)), where);
        assertEquals(List.of(), supplier.open("test", Map.of()).list(), where);
        assertEquals(next.database.transact(QuotaRows::recount), next.database.transact(QuotaRows::counters), where);
    }

    // ---- what people and gateways do; each can be repeated

    private static void make(Backend backend, Key key) {
        backend.database.run(sql -> {
            Deployment made = Deployment.created(key.organisation(), "vision", key.name(), ONE, sql.now());
            if (DeploymentRows.insert(sql, made, sql.now())) {
                DeploymentRows.addRevision(sql, key, "file:/first", "A100", Optional.empty(), "k1");
            }
        });
    }

    private static void roll(Backend backend, Key key) {
        backend.database.run(sql -> {
            Deployment row = DeploymentRows.lock(sql, key).orElseThrow();
            if (row.revision() == 1) {
                int added = DeploymentRows.addRevision(sql, key, "file:/second", "A100", Optional.empty(), "k1");
                DeploymentRows.update(sql, row.changed(ONE, Optional.of(added)), sql.now());
            }
        });
    }

    private static void remove(Backend backend, Key key) {
        backend.database.run(sql -> DeploymentRows.lock(sql, key)
                .filter(row -> !row.isRemoved())
                .ifPresent(row -> DeploymentRows.update(sql, row.removed(), sql.now())));
    }

    private static void rounds(TestDatabase test, Backend backend, Key key, int count) {
        for (int round = 0; round < count; round++) {
            test.advance(Duration.ofSeconds(3));
            round(backend, key);
        }
    }

    /** Gateways are heard just before: what they said longer ago than a few seconds does not count. */
    private static void round(Backend backend, Key key) {
        backend.database.run(sql -> report(sql, key));
        backend.deployments.round();
        backend.round();
    }

    /** One gateway, which serves on all machines that are ready, and has let go of those that drain. */
    private static void report(Sql sql, Key key) {
        for (Replica replica : ReplicaRows.of(sql, key)) {
            if (replica.phase() == Phase.READY) {
                Replica.State state = replica.isDraining() ? Replica.State.DRAINED : Replica.State.SERVING;
                ReplicaRows.report(sql, replica.machine(), new Replica.Use("gw-1", state, 0, 0, "", sql.now()));
            }
        }
    }
}
