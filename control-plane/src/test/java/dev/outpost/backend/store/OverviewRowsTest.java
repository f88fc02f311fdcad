package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.OverviewRows.Failure;
import dev.outpost.backend.store.OverviewRows.Holds;
import dev.outpost.backend.store.OverviewRows.Overview;
import dev.outpost.backend.store.OverviewRows.Replicas;
import dev.outpost.backend.store.OverviewRows.Stage;
import dev.outpost.backend.store.backup.Backup;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OverviewRowsTest {
    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Database database = test.database();
    private final Machines machines = new Machines(MachineRequestFixtures.SETTINGS);

    @AfterEach
    void close() {
        test.close();
    }

    private Overview overview() {
        return database.read(OverviewRows::read);
    }

    private UUID request() {
        return MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
    }

    private void change(UUID machine, String assignments) {
        int changed =
                database.transact(sql -> sql.update("UPDATE machines SET " + assignments + " WHERE id = ?", machine));
        assertEquals(1, changed);
    }

    @Test
    void anEmptyInstallationHasNothingToReport() {
        Overview empty = overview();
        assertTrue(empty.latency() > 0 && empty.latency() < 60);
        assertEquals(Map.of(), empty.machines());
        assertEquals(Map.of(), empty.queueAges());
        assertEquals(Map.of(), empty.failures());
        assertEquals(0, empty.dueAge());
        assertEquals(new Holds(0, 0), empty.holds());
        assertEquals(new Replicas(0, 0), empty.replicas());
        assertEquals(0, empty.standbys().number());
        assertEquals(Optional.of(0.0), empty.standbys().lag(), "the user of tests may read it");
    }

    @Test
    void theOldestRequestOfEachReasonCounts() {
        request();
        UUID limited = request();
        change(limited, "phase = 'QUOTA'");
        test.advance(Duration.ofMinutes(10));
        request();
        Overview seen = overview();
        assertEquals(Map.of(Phase.POSITION, 600.0, Phase.QUOTA, 600.0), seen.queueAges());
        assertEquals(Map.of(Phase.State.QUEUED, 3L), seen.machines());
    }

    @Test
    void failuresOfTheLastHourCountByReasonAndStage() {
        change(request(), "phase = 'ENDED', due_at = NULL, end_reason = 'START_TIMEOUT', since = outpost_now()");
        test.advance(Duration.ofMinutes(61));
        for (String reason : List.of("REFUSED", "REFUSED", "FAILED", "REQUESTED", "IDLE")) {
            change(request(), "phase = 'ENDED', end_reason = '" + reason + "', since = outpost_now()");
        }
        UUID used = request();
        database.run(sql -> sql.update(
                "INSERT INTO usages (machine, organisation, project, gpu, gpus, from_at, began)"
                        + " VALUES (?, 'acme', 'vision', 'A100', 1, outpost_now(), 'READY')",
                used));
        change(used, "phase = 'ENDED', end_reason = 'FAILED', since = outpost_now()");
        assertEquals(
                Map.of(
                        new Failure(EndReason.REFUSED, Stage.START), 2L,
                        new Failure(EndReason.FAILED, Stage.START), 1L,
                        new Failure(EndReason.FAILED, Stage.USE), 1L),
                overview().failures());
    }

    /** A row that a replica works on is not late. */
    @Test
    void theRowThatIsDueLongestAndFreeCounts() {
        change(
                request(),
                "due_at = outpost_now() - interval '40 seconds', lock_until = outpost_now() + interval '1 second'");
        change(
                request(),
                "due_at = outpost_now() - interval '30 seconds', lock_until = outpost_now() - interval '1 second'");
        change(request(), "due_at = outpost_now() + interval '30 seconds'");
        assertEquals(30, overview().dueAge());
    }

    @Test
    void holdsThatRanOutAreOverdue() {
        change(request(), "hold_until = outpost_now() + interval '1 second'");
        UUID second = request();
        change(second, "hold_until = outpost_now()");
        assertEquals(new Holds(2, 1), overview().holds());
        change(second, "phase = 'ENDING'");
        assertEquals(new Holds(1, 0), overview().holds());
    }

    @Test
    void clustersThatDoNotAnswerAreTroubled() {
        database.run(sql -> {
            ClusterRows.add(sql, ClusterRows.Stored.active("a", "paper", List.of(), OptionalInt.empty(), Map.of()));
            ClusterRows.add(sql, ClusterRows.Stored.active("b", "paper", List.of(), OptionalInt.empty(), Map.of()));
            ClusterRows.add(sql, ClusterRows.Stored.active("c", "worker", List.of(), OptionalInt.empty(), Map.of()));
            sql.update("UPDATE clusters SET trouble = 'no route' WHERE name = 'b'");
        });
        assertEquals(3, overview().clusters());
        assertEquals(2, overview().troubled(), "b, and the worker host that has not reported");
    }

    @Test
    void replicasServeIfAGatewaySaidSoAMomentAgo() {
        UUID served = request();
        UUID draining = request();
        database.run(sql -> {
            sql.update("INSERT INTO deployments (organisation, project, name, min, max, target, idle, revision, wanted,"
                    + " busy_at, text, due_at) VALUES ('acme', 'vision', 'chat', 0, 4, 16, 300000, 1, 3,"
                    + " outpost_now(), '', outpost_now())");
            for (UUID replica : List.of(served, draining)) {
                sql.update(
                        "INSERT INTO replicas (machine, organisation, name, revision) VALUES (?, 'acme', 'chat', 1)",
                        replica);
                for (String gateway : List.of("one", "two")) {
                    sql.update(
                            "INSERT INTO gateway_replicas (machine, gateway, state, requests, cache_use, text, reported_at)"
                                    + " VALUES (?, ?, 'SERVING', 0, 0, '', outpost_now())",
                            replica,
                            gateway);
                }
            }
            sql.update("UPDATE replicas SET draining_since = outpost_now() WHERE machine = ?", draining);
        });
        assertEquals(new Replicas(3, 1), overview().replicas());
        test.advance(Duration.ofMinutes(2));
        assertEquals(new Replicas(3, 0), overview().replicas(), "no gateway reports any more");
    }

    @Test
    void theAgeOfTheBackupCountsFromTheInstallationUntilThereIsOne() {
        test.advance(Duration.ofHours(30));
        assertEquals(Optional.of(30 * 3600.0), overview().backupAge());
        Backup.write(database, new ByteArrayOutputStream());
        assertEquals(Optional.of(0.0), overview().backupAge());
        test.advance(Duration.ofHours(2));
        assertEquals(Optional.of(7200.0), overview().backupAge());
    }
}
