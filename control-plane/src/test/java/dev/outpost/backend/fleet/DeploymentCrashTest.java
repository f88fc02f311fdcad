package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.model.deployment.Replica;
import dev.outpost.backend.model.deployment.Scale;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.DeploymentRows.Key;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.usage.QuotaRecount;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A deployment is scaled, rolled out, rolled back and removed, with the backend killed at each point between a commit and a call. Its
 * gateway follows its last orders, and the next replica of the backend continues from the rows: the wanted replicas run, each request is
 * answered once, no stream is cut, and nothing is left when the deployment is gone.
 */
class DeploymentCrashTest {
    private static final int MAX_POINTS = 600;
    private static final int MIN_POINTS = 10;

    private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(10);

    /** The rounds until a replica serves or is gone. */
    private static final int FEW_ROUNDS = 4;

    /** The rounds until it is settled that fewer replicas suffice, and one of them is gone. */
    private static final int SETTLING_ROUNDS = 12;

    private static final int MAX_MACHINES = 4;
    private static final String FIRST = "file:/first";
    private static final String SECOND = "file:/second";
    private static final String BAD = "file:/bad";
    private static final Scale BY_LOAD = new Scale(1, 2, 1, Duration.ofMinutes(5));

    /** A change of a deployment from one settled state to the next. */
    private enum Change {
        SCALE_UP(1, 2, 2, 1) {
            @Override
            void ask(Backend backend, Key key) {}
        },
        SCALE_DOWN(2, 1, 1, 1) {
            @Override
            void ask(Backend backend, Key key) {}
        },
        ROLL(1, 1, 1, 2) {
            @Override
            void ask(Backend backend, Key key) {
                roll(backend, key, SECOND);
            }
        },
        ROLL_TO_A_BAD_MODEL(1, 1, 1, 1) {
            @Override
            void ask(Backend backend, Key key) {
                roll(backend, key, BAD);
            }
        },
        ROLL_BACK(1, 1, 1, 1) {
            @Override
            void prepare(Backend backend, Key key) {
                roll(backend, key, SECOND);
            }

            @Override
            void ask(Backend backend, Key key) {
                rollBack(backend, key);
            }
        },
        REMOVE(1, 1, 0, 1) {
            @Override
            void ask(Backend backend, Key key) {
                remove(backend, key);
            }
        };

        private final int demandBefore;
        private final int demand;
        private final int replicas;
        private final int revision;

        /** @param revision the revision of the replicas at the end */
        Change(int demandBefore, int demand, int replicas, int revision) {
            this.demandBefore = demandBefore;
            this.demand = demand;
            this.replicas = replicas;
            this.revision = revision;
        }

        void prepare(Backend backend, Key key) {}

        /** Requests the change; may be repeated. */
        abstract void ask(Backend backend, Key key);
    }

    @ParameterizedTest
    @EnumSource
    void killsAtSomePointsLeakNoReplicaAndCutNoStream(Change change) {
        killAtEach(change, 61);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void noKillLeaksAReplicaOrCutsAStream(Change change) {
        killAtEach(change, 1);
    }

    private static void killAtEach(Change change, int step) {
        int point = 1;
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            while (point < MAX_POINTS && changeWithCrash(test, change, point)) {
                point += step;
            }
        }
        assertTrue(point > MIN_POINTS && point < MAX_POINTS, point + " points were reached");
    }

    /** Returns true if that point was reached. */
    private static boolean changeWithCrash(TestDatabase test, Change change, int fatal) {
        PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
        Key key = new Key("acme", "chat-" + fatal);
        PaperGateway gateway = new PaperGateway(key, supplier, Set.of(BAD));
        Backend first = new Backend(test.source(), supplier);
        first.addCluster("host", MAX_MACHINES);
        make(first, key);
        gateway.setDemand(change.demandBefore);
        rounds(test, first, gateway, FEW_ROUNDS);
        change.prepare(first, key);
        rounds(test, first, gateway, FEW_ROUNDS);

        CrashPoints points = new CrashPoints(fatal);
        Backend doomed = new Backend(points.source(test.source()), points.provider(supplier));
        gateway.setDemand(change.demand);
        boolean isKilled = Crash.isKilled(() -> {
            change.ask(doomed, key);
            rounds(test, doomed, gateway, SETTLING_ROUNDS);
        });
        String where = change + ", killed " + points.last();
        recover(test, new Backend(test.source(), supplier), supplier, gateway, change, key, where);
        return isKilled;
    }

    /** Simulates that the backend is away for longer than its locks last, and works on its rows before its gateway reports. */
    private static void recover(
            TestDatabase test,
            Backend next,
            PaperSupplier supplier,
            PaperGateway gateway,
            Change change,
            Key key,
            String where) {
        test.advance(Backend.LOCK.plusSeconds(1));
        work(next);
        change.ask(next, key);
        for (int round = 0; round < SETTLING_ROUNDS; round++) {
            rounds(test, next, gateway, 1);
            int machines = supplier.open("test", Map.of()).list().size();
            assertTrue(machines < MAX_MACHINES, () -> machines + " machines in " + where);
        }
        List<Replica> replicas = next.database.transact(sql -> ReplicaRows.of(sql, key));
        assertEquals(change.replicas, replicas.size(), () -> replicas + " after " + where);
        for (Replica one : replicas) {
            assertEquals(change.revision, one.revision(), where);
            assertEquals(Phase.READY, one.phase(), where);
        }
        gateway.finish();
        remove(next, key);
        rounds(test, next, gateway, FEW_ROUNDS);
        assertEquals(0, gateway.cut(), () -> "streams were cut in " + where);
        assertEquals(gateway.asked(), gateway.answered(), where);
        assertTrue(gateway.answered() > 0, where);
        assertEquals(Optional.empty(), next.database.transact(sql -> DeploymentRows.find(sql, key)), where);
        assertEquals(List.of(), supplier.open("test", Map.of()).list(), where);
        assertEquals(next.database.transact(QuotaRecount::of), next.database.transact(QuotaRows::counters), where);
    }

    // ---- requests of people; each can be repeated

    private static void make(Backend backend, Key key) {
        backend.database.run(sql -> {
            Deployment made = Deployment.created(key.organisation(), "vision", key.name(), BY_LOAD, sql.now());
            if (DeploymentRows.insert(sql, made, sql.now())) {
                DeploymentRows.addRevision(sql, key, FIRST, "A100", Optional.empty(), "k1");
            }
        });
    }

    /** Rolls the deployment to a second revision. */
    private static void roll(Backend backend, Key key, String model) {
        backend.database.run(sql -> {
            Deployment row = DeploymentRows.lock(sql, key).orElseThrow();
            if (DeploymentRows.revision(sql, key, 2).isEmpty()) {
                int added = DeploymentRows.addRevision(sql, key, model, "A100", Optional.empty(), "k1");
                DeploymentRows.update(sql, row.changed(row.scale(), Optional.of(added)), sql.now());
            }
        });
    }

    private static void rollBack(Backend backend, Key key) {
        backend.database.run(sql -> {
            Deployment row = DeploymentRows.lock(sql, key).orElseThrow();
            if (row.revision() != 1) {
                DeploymentRows.update(sql, row.changed(row.scale(), Optional.of(1)), sql.now());
            }
        });
    }

    private static void remove(Backend backend, Key key) {
        backend.database.run(sql -> DeploymentRows.lock(sql, key)
                .filter(row -> !row.isRemoved())
                .ifPresent(row -> DeploymentRows.update(sql, row.removed(), sql.now())));
    }

    // ---- time

    private static void rounds(TestDatabase test, Backend backend, PaperGateway gateway, int count) {
        for (int round = 0; round < count; round++) {
            test.advance(BETWEEN_ROUNDS);
            gateway.turn(backend);
            work(backend);
        }
    }

    private static void work(Backend backend) {
        backend.deployments.round();
        backend.round();
    }
}
