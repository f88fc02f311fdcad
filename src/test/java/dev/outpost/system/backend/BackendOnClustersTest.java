package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuProviderContract;
import dev.outpost.provider.MachineSpec;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.TwoClusters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a backend that has two clusters, one of which accepts no machines. */
class BackendOnClustersTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    static Path folder;

    private static TwoClusters clusters;

    @BeforeAll
    static void start() {
        clusters = TwoClusters.start(folder);
        clusters.set("east", "ACTIVE");
        clusters.set("west", "CORDONED");
    }

    @AfterAll
    static void stop() {
        try (TwoClusters ending = clusters) {
            Await.until("no machine is left", () -> live().isEmpty());
        }
    }

    private static JsonNode live() {
        return clusters.client().get("/v1/machines").path("items");
    }

    /** The contract of every provider. By default, BackendContractTest tests it with machines that are processes. */
    @Nested
    @Tag("full")
    class Contract extends GpuProviderContract {
        @Override
        protected GpuProvider provider() {
            return clusters.backend.provider();
        }

        @Override
        protected MachineSpec spec() {
            return MachineSpec.of(GpuCatalogue.standard().find("A100"));
        }

        @Override
        protected Duration patience() {
            return TIMEOUT;
        }
    }

    private static JsonNode machine(String id) {
        return clusters.client().get("/v1/machines/" + id);
    }

    private static String start(BackendClient client) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", "A100", "life", "PT10M"));
        return id;
    }

    private static void awaitPhase(String id, String phase) {
        Await.until(
                () -> machine(id).toString(),
                () -> machine(id).path("phase").asText().equals(phase));
    }

    @Test
    void aMachineComputesAndItsClusterIsTheOneThatTakesMachines() {
        long before = clusters.west.made("jobs");
        try (RemoteMachine machine = RemoteMachine.of(clusters.backend.provider(), "A100", new MachineOptions())) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            live().forEach(row -> assertEquals("east", row.path("cluster").asText(), row::toString));
        }
        assertEquals(before, clusters.west.made("jobs"), "machines on the cordoned cluster");
    }

    /** Draining one cluster ends its machines, and the other one, which is made active, gets the next. */
    @Test
    void aClusterThatIsDrainedLosesItsMachinesToNobody() {
        BackendClient client = clusters.client();
        String leaving = start(client);
        awaitPhase(leaving, "READY");
        clusters.set("east", "DRAINING");
        try {
            awaitPhase(leaving, "ENDED");
            assertTrue(
                    machine(leaving).path("text").asText().contains("its cluster east is drained"),
                    () -> machine(leaving).toString());
            String waiting = start(client);
            awaitPhase(waiting, "CAPACITY");
            long before = clusters.west.made("jobs");
            clusters.set("west", "ACTIVE");
            awaitPhase(waiting, "READY");
            assertEquals("west", machine(waiting).path("cluster").asText());
            assertEquals(before + 1, clusters.west.made("jobs"));
            client.post("/v1/machines/" + waiting + ":end", Map.of());
            awaitPhase(waiting, "ENDED");
        } finally {
            clusters.set("west", "CORDONED");
            clusters.set("east", "ACTIVE");
        }
    }
}
