package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.examples.DigitsTraining;
import dev.outpost.relay.name.RelaySecret;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.system.backend.host.BackendHost;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests machines of a backend that are reached through a relay, which is killed during its use. */
class BackendRelayTest {
    private static final String SECRET = RelaySecret.draw(new SecureRandom()).text();

    @TempDir
    Path folder;

    private BackendHost start() {
        return BackendHost.start(folder, "OUTPOST_BACKEND_OBSERVE_EVERY", "1s", "OUTPOST_BACKEND_RELAY_SECRET", SECRET);
    }

    private static void put(OneRelay relay, BackendClient client) {
        String cluster =
                client.get("/v1/clusters").path("items").path(0).path("name").asText();
        client.put("/v1/clusters/" + cluster, Map.of("relay", relay.address()));
    }

    private static JsonNode endpoint(BackendClient client) {
        return client.get("/v1/machines").path("items").path(0).path("endpoint");
    }

    @Test
    @Tag("full")
    void digitsAreReadThroughARelayThatIsKilledMeanwhile() throws Exception {
        try (BackendHost backend = start();
                OneRelay relay = new OneRelay();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            put(relay, backend.client());
            String reach = backend.client()
                    .post("/v1/machines:plan", Map.of("gpu", "any"))
                    .path("reach")
                    .asText();
            assertTrue(reach.startsWith("the client connects to the relay at " + relay.address()), reach);
            try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
                CountDownLatch begun = new CountDownLatch(2);
                Future<Double> accuracy =
                        threads.submit(() -> new DigitsTraining(machine, 0).run(10, epoch -> begun.countDown()));
                begun.await();
                assertEquals(
                        relay.port(), endpoint(backend.client()).path("port").asInt());
                relay.kill();
                relay.startAgain();
                assertTrue(accuracy.get() > 0.9, () -> "accuracy " + accuracy.resultNow());
            }
        }
    }

    /** A relay needs no backend, so a session that has lost both continues as soon as there is a relay again. */
    @Test
    void aSessionOutlivesRelayAndBackend() {
        BackendHost first = start();
        try (OneRelay relay = new OneRelay()) {
            put(relay, first.client());
            try (RemoteMachine machine = RemoteMachine.of(first.provider(), "any", new MachineOptions())) {
                Tensor held = machine.ones(2, 3);
                assertEquals(6.0, held.sum().itemDouble());
                assertFalse(endpoint(first.client()).path("serverName").asText().isEmpty());
                first.kill();
                relay.kill();
                relay.startAgain();
                assertEquals(12.0, held.mul(2).sum().itemDouble());
            }
            try (BackendHost second = start()) {
                assertEquals(
                        relay.port(), endpoint(second.client()).path("port").asInt());
                second.client()
                        .get("/v1/machines")
                        .path("items")
                        .forEach(machine -> second.client()
                                .post("/v1/machines/" + machine.path("id").asText() + ":end", Map.of()));
            }
        }
    }

    /** A relay at one port, which may be killed and started again. */
    private static final class OneRelay implements AutoCloseable {
        private RelayProcess running = RelayProcess.start(SECRET, 0);
        private final int port = running.port();

        int port() {
            return port;
        }

        String address() {
            return "127.0.0.1:" + port;
        }

        void kill() {
            running.kill();
        }

        void startAgain() {
            running = RelayProcess.start(SECRET, port);
        }

        @Override
        public void close() {
            running.close();
        }
    }
}
