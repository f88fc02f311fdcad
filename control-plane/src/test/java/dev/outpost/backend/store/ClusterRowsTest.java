package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.cluster.ClusterState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when the machines of a cluster count as adopted after the database has lost rows. */
class ClusterRowsTest {
    private static final byte[] CODE = new byte[32];

    private final TestDatabase test = TestDatabase.create();

    @AfterEach
    void close() {
        test.close();
    }

    private static void add(Sql sql, String name, String provider) {
        ClusterRows.add(sql, ClusterRows.Stored.active(name, provider, List.of(), OptionalInt.empty(), Map.of()));
    }

    private static void beginLook(Sql sql, String name) {
        ClusterRows.adopted(sql, name, ClusterRows.beginLook(sql, name).orElseThrow());
    }

    @Test
    void adoptionIsOverAfterALookThatBeganAfterTheLastRequest() {
        test.database().run(sql -> {
            add(sql, "east", "paper");
            assertFalse(ClusterRows.isAnyAdopting(sql));
            ClusterRows.adopt(sql, "east");
            ClusterRows.Look before = ClusterRows.beginLook(sql, "east").orElseThrow();
            ClusterRows.adopt(sql, "east");
            ClusterRows.adopted(sql, "east", before);
            assertTrue(ClusterRows.isAnyAdopting(sql));
            beginLook(sql, "east");
            assertFalse(ClusterRows.isAnyAdopting(sql));
        });
    }

    /** The host's machines have rows, and its report restores lost rows. */
    @Test
    void adoptionOfAPairedWorkerHostWaitsForItsReport() {
        test.database().run(sql -> {
            add(sql, "lab", "worker");
            WorkerRows.offer(sql, "lab", CODE, Duration.ofHours(1));
            ClusterRows.adopt(sql, "lab");
            beginLook(sql, "lab");
            assertFalse(ClusterRows.isAnyAdopting(sql), "no host was paired, so none can have machines");
            WorkerRows.pair(sql, "lab", CODE, new byte[] {1});
            ClusterRows.adopt(sql, "lab");
            beginLook(sql, "lab");
            assertTrue(ClusterRows.isAnyAdopting(sql));
            WorkerRows.hear(sql, "lab", "host", "1");
            beginLook(sql, "lab");
            assertFalse(ClusterRows.isAnyAdopting(sql));
        });
    }

    @Test
    void clusterThatIsDrainedIsNotWaitedFor() {
        test.database().run(sql -> {
            add(sql, "lab", "paper");
            ClusterRows.adopt(sql, "lab");
            ClusterRows.update(sql, ClusterRows.find(sql, "lab").orElseThrow().withState(ClusterState.DRAINING));
            assertFalse(ClusterRows.isAnyAdopting(sql));
            assertEquals(Optional.of(true), ClusterRows.beginLook(sql, "lab").map(ClusterRows.Look::isAdopting));
        });
    }
}
