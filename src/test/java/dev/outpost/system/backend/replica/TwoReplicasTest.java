package dev.outpost.system.backend.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests two replicas on one database and one host, one of which is killed while machines start. */
@Tag("full")
class TwoReplicasTest {
    private static final String[] QUICK = {
        "OUTPOST_BACKEND_OBSERVE_EVERY", "1s", "OUTPOST_BACKEND_LOCK", "3s",
    };

    @TempDir
    Path folder;

    /** The first replica has the database and the machines' folder; the other one uses both. */
    private BackendHost second(BackendHost first) {
        return BackendHost.beside(first, folder.resolve("second"), folder.resolve("first"), QUICK);
    }

    @Test
    void replicaFinishesWhatAnotherBegan() throws IOException {
        try (BackendHost first = BackendHost.start(folder.resolve("first"), QUICK)) {
            BackendHost doomed = second(first);
            List<String> ids = new ArrayList<>();
            // The machine outlives its client by that time, because the replica that would be notified is gone.
            MachineOptions options = new MachineOptions().option("lease", "10s");
            try (RemoteMachine machine = RemoteMachine.of(doomed.provider(), "any", options)) {
                Tensor held = machine.ones(2, 3);
                assertEquals(6.0, held.sum().itemDouble());
                for (int i = 0; i < 3; i++) {
                    String id = UUID.randomUUID().toString();
                    BackendClient asked = i % 2 == 0 ? doomed.client() : first.client();
                    asked.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT10M"));
                    ids.add(id);
                }
                doomed.kill();
                ids.forEach(id -> awaitState(first.client(), id, "READY"));
                assertEquals(12.0, held.mul(2).sum().itemDouble());
                assertEquals(4, processes(), "one process for each machine");
            }
            ids.forEach(id -> first.client().post("/v1/machines/" + id + ":end", Map.of()));
            ids.forEach(id -> awaitState(first.client(), id, "ENDED"));
            ids.forEach(id -> assertChargedOnce(first.client(), id));
            Await.until("no process is left", () -> processes() == 0);
        }
    }

    private static void awaitState(BackendClient client, String id, String state) {
        Await.until(
                () -> client.get("/v1/machines/" + id).toString(),
                () -> client.get("/v1/machines/" + id).path("state").asText().equals(state));
    }

    private static void assertChargedOnce(BackendClient client, String id) {
        // The ledger counts whole seconds, without the present one.
        Await.until(
                () -> "an interval of " + id,
                () -> !client.get("/v1/usage/" + id).path("items").isEmpty());
        JsonNode charged = client.get("/v1/usage/" + id).path("items");
        assertEquals(1, charged.size(), () -> "intervals of " + id + ": " + charged);
        assertEquals("READY", charged.path(0).path("began").asText(), charged::toString);
        assertEquals("END_ASKED", charged.path(0).path("ended").asText(), charged::toString);
    }

    /** The processes of running machines, by the process id that each has written into its folder. */
    private long processes() {
        Path machines = folder.resolve("first").resolve("machines");
        return new StateFolder(machines)
                .list().stream()
                        .filter(machine ->
                                isRunning(machines.resolve(machine.record().name())))
                        .count();
    }

    private static boolean isRunning(Path machine) {
        try {
            String pid = Files.readAllLines(machine.resolve("process")).getFirst();
            return pid.matches("\\d+")
                    && ProcessHandle.of(Long.parseLong(pid))
                            .filter(ProcessHandle::isAlive)
                            .isPresent();
        } catch (NoSuchFileException ignored) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
