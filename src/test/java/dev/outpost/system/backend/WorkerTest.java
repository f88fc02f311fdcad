package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a host that joins a backend, whose machines are processes on this host. */
class WorkerTest {
    @TempDir
    Path folder;

    private BackendHost backend;
    private BackendClient client;
    private Path state;

    @BeforeEach
    void start() {
        state = folder.resolve("worker");
        backend = BackendHost.start(
                folder.resolve("backend"),
                "OUTPOST_BACKEND_OBSERVE_EVERY",
                "1s",
                "OUTPOST_BACKEND_LOCAL_ENABLED",
                "false");
        client = backend.client();
        client.put("/v1/clusters/lab", Map.of("provider", "worker"));
    }

    @AfterEach
    void stop() {
        backend.close();
    }

    private String url() {
        return backend.access().address().toString();
    }

    private String code() {
        return client.post("/v1/clusters/lab:pair", Map.of()).path("code").asText();
    }

    private JsonNode onlyMachine() {
        JsonNode items = client.get("/v1/machines").path("items");
        assertEquals(1, items.size(), items::toString);
        return items.path(0);
    }

    private void awaitState(String expected) {
        Await.until(
                () -> onlyMachine().toString(),
                () -> onlyMachine().path("state").asText().equals(expected));
    }

    private void awaitNoMachine() {
        Await.until(
                () -> client.get("/v1/machines").toString(),
                () -> client.get("/v1/machines").path("items").isEmpty());
        Await.until(
                "nothing is left on the host",
                () -> new StateFolder(state.resolve("machines")).list().isEmpty());
    }

    @Test
    void aWorkerThatIsKilledAndStartedAgainLosesNoMachine() throws IOException {
        WorkerProcess doomed = WorkerProcess.start(url(), state, code());
        Path key = state.resolve("worker-key");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
        try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
            Tensor held = machine.ones(2, 3);
            assertEquals(6.0, held.sum().itemDouble());
            JsonNode before = onlyMachine();
            assertEquals("lab", before.path("cluster").asText());
            doomed.kill();
            assertEquals(12.0, held.mul(2).sum().itemDouble());
            try (WorkerProcess next = WorkerProcess.start(url(), state, "")) {
                assertEquals(18.0, held.mul(3).sum().itemDouble());
                assertEquals(before.path("endpoint"), onlyMachine().path("endpoint"));
                held.close();
                machine.close();
                awaitNoMachine();
                assertFalse(next.errors().contains(Files.readAllLines(key).get(1)), next::errors);
            }
        }
    }

    @Test
    @Tag("full")
    void aHostThatWasNotPairedIsRefused() {
        WorkerProcess silent = WorkerProcess.launch(url(), state, "");
        assertEquals(1, silent.exitStatus());
        assertTrue(silent.errors().contains("worker: a code is expected on standard input"), silent::errors);
        WorkerProcess guessing = WorkerProcess.launch(url(), state, "wc_lab_" + "x".repeat(43));
        assertEquals(1, guessing.exitStatus());
        assertTrue(
                guessing.errors().contains("the host is not paired, or its code or key is unknown"), guessing::errors);
        assertFalse(guessing.errors().contains("xxx"), guessing::errors);
        String code = code();
        WorkerProcess.start(url(), state, code).close();
        WorkerProcess second = WorkerProcess.launch(url(), folder.resolve("second"), code);
        assertEquals(1, second.exitStatus());
        assertTrue(second.errors().contains("POST /v1/clusters/NAME:pair"), second::errors);
        try (WorkerProcess first = WorkerProcess.start(url(), state, "")) {
            WorkerProcess.start(url(), folder.resolve("third"), code()).close();
            assertEquals(1, first.exitStatus(), "another host has taken its place");
            assertTrue(first.errors().contains("is not paired"), first::errors);
        }
    }

    @Test
    @Tag("full")
    void aWorkerThatIsAwayIsLostAndFound() {
        WorkerProcess doomed = WorkerProcess.start(url(), state, code());
        try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
            Tensor held = machine.ones(2, 3);
            assertEquals(6.0, held.sum().itemDouble());
            doomed.kill();
            awaitState("LOST");
            assertEquals(12.0, held.mul(2).sum().itemDouble(), "the session does not notice");
            JsonNode plan = client.post("/v1/machines:plan", Map.of("gpu", "any"));
            assertTrue(plan.path("why").asText().contains("lab, which is away"), plan::toString);
            try (WorkerProcess next = WorkerProcess.start(url(), state, "")) {
                awaitState("READY");
                assertEquals(18.0, held.mul(3).sum().itemDouble());
                String id = onlyMachine().path("id").asText();
                // The second interval is reported after its first second.
                Await.until(
                        () -> client.get("/v1/usage/" + id).toString(),
                        () -> client.get("/v1/usage/" + id).path("items").size() == 2);
                // The worker asks its machine and reports the answer.
                String grants = "/v1/machines/" + id + "/grants";
                Await.until(
                        () -> client.get(grants).toString(),
                        () -> client.get(grants).at("/items/0/use/sessions").asInt() == 1
                                && client.get(grants)
                                                .at("/items/0/use/liveBytes")
                                                .asLong()
                                        > 0);
                JsonNode charged = client.get("/v1/usage/" + id).path("items");
                assertEquals("LOST", charged.path(0).path("ended").asText());
                machine.close();
                awaitNoMachine();
            }
        }
    }
}
