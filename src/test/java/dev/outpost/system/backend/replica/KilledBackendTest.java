package dev.outpost.system.backend.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.examples.DigitsTraining;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.types.MachineLostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests killed backends with machines in use: sessions notice nothing, and no machine and no bill is lost. By default, BackendRelayTest
 * kills a backend with a session.
 */
@Tag("full")
class KilledBackendTest {
    @TempDir
    Path folder;

    private BackendHost start() {
        return BackendHost.start(folder, "OUTPOST_BACKEND_OBSERVE_EVERY", "1s");
    }

    private static JsonNode machine(BackendClient client, String id) {
        return client.get("/v1/machines/" + id);
    }

    private static void awaitState(BackendClient client, String id, String state) {
        Await.until(
                () -> machine(client, id).toString(),
                () -> machine(client, id).path("state").asText().equals(state));
    }

    private static String onlyMachine(BackendClient client) {
        JsonNode items = client.get("/v1/machines").path("items");
        assertEquals(1, items.size(), items::toString);
        return items.path(0).path("id").asText();
    }

    @Test
    void aSessionGoesOnWhileTheBackendIsKilledAndStartedAgain() {
        BackendHost first = start();
        String id;
        try (RemoteMachine machine = RemoteMachine.of(first.provider(), "any", new MachineOptions())) {
            Tensor held = machine.ones(2, 3);
            assertEquals(6.0, held.sum().itemDouble());
            id = onlyMachine(first.client());
            String key = first.access().key();
            first.kill();
            assertEquals(12.0, held.mul(2).sum().itemDouble());
            try (BackendHost second = start()) {
                assertEquals(key, second.access().key());
                assertEquals("READY", machine(second.client(), id).path("state").asText());
                assertEquals(18.0, held.mul(3).sum().itemDouble());
                JsonNode charged = second.client().get("/v1/usage/" + id).path("items");
                assertEquals(1, charged.size(), charged::toString);
                assertEquals("RUNNING", charged.path(0).path("ended").asText());
                second.client().post("/v1/machines/" + id + ":end", Map.of());
                awaitState(second.client(), id, "ENDED");
                // The loss is reported here, so closing does not report it again.
                assertThrows(MachineLostException.class, () -> held.sum().itemDouble());
            }
        }
        try (BackendHost third = start()) {
            assertEquals("ENDED", machine(third.client(), id).path("state").asText());
            JsonNode charged = third.client().get("/v1/usage/" + id).path("items");
            assertEquals("END_ASKED", charged.path(0).path("ended").asText(), charged::toString);
        }
    }

    /** The steps of a start at which the kills happen are random; tests in control-plane enumerate all steps. */
    @Test
    void startsThatAreCutAtSeveralPointsAreFinishedByTheNextBackend() {
        List<Integer> delays = List.of(0, 150, 600);
        String[] ids = new String[delays.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = UUID.randomUUID().toString();
            BackendHost doomed = start();
            String asked = ids[i];
            doomed.client().put("/v1/machines/" + asked, Map.of("gpu", "any", "life", "PT10M"));
            long until = System.nanoTime() + delays.get(i) * 1_000_000L;
            Await.until("the time is over", () -> System.nanoTime() >= until);
            doomed.kill();
        }
        try (BackendHost next = start()) {
            for (String id : ids) {
                awaitState(next.client(), id, "READY");
                next.client().post("/v1/machines/" + id + ":end", Map.of());
            }
            for (String id : ids) {
                awaitState(next.client(), id, "ENDED");
            }
        }
    }

    /** By default, BackendContractTest computes through a backend, and DigitsOnKubernetesTest trains on a machine that was started. */
    @Test
    void digitsAreReadThroughTheBackend() {
        try (BackendHost backend = start();
                RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
            double accuracy = new DigitsTraining(machine, 0).run(10, epoch -> {});
            assertTrue(accuracy > 0.9, () -> "accuracy " + accuracy);
        }
    }
}
