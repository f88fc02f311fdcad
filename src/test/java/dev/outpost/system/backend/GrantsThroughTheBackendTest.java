package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.Trust;
import dev.outpost.provider.Endpoint;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.MachineFiller;
import dev.outpost.system.backend.host.BackendHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests grants of a machine that a backend has started: bound, changed, used, reported and revoked. */
class GrantsThroughTheBackendTest {
    private static final String TOKEN = "ada-s-token-of-many-letters";

    @TempDir
    Path folder;

    private static String hash() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static JsonNode grant(BackendClient client, String machine) {
        return client.get("/v1/machines/" + machine + "/grants").path("items").path(0);
    }

    private static void awaitGrant(BackendClient client, String machine, String field, String value) {
        Await.until(
                () -> grant(client, machine).toString(),
                () -> grant(client, machine).at(field).asText().equals(value));
    }

    private static RemoteMachine connect(JsonNode machine) {
        JsonNode endpoint = machine.path("endpoint");
        return RemoteMachine.connect(
                new Endpoint.Remote(
                        endpoint.path("host").asText(),
                        endpoint.path("port").asInt(),
                        new Trust.Pin(endpoint.path("certificate").asText()),
                        TOKEN),
                new MachineOptions());
    }

    @Test
    void aGrantHoldsOnTheMachineAndItsUseIsReported() throws IOException {
        try (BackendHost backend = BackendHost.start(
                folder, "OUTPOST_BACKEND_OBSERVE_EVERY", "1s", "OUTPOST_BACKEND_REPORT_EVERY", "1s")) {
            BackendClient client = backend.client();
            String id = UUID.randomUUID().toString();
            String path = "/v1/machines/" + id;
            client.put(path, Map.of("gpu", "any", "life", "PT10M"));
            Await.until(
                    () -> client.get(path).toString(),
                    () -> client.get(path).path("state").asText().equals("READY"));
            client.post(path + "/grants", Map.of("tokenSha256", hash(), "memoryBytes", 1 << 20));
            awaitGrant(client, id, "/told", "true");
            try (RemoteMachine machine = connect(client.get(path))) {
                assertEquals(4.0, machine.ones(4).sum().itemDouble());
                RuntimeException full = assertThrows(RuntimeException.class, () -> MachineFiller.fill(machine, 5));
                assertTrue(full.getMessage().contains("of the grant"), full::getMessage);
                client.put(path + "/grants/" + hash(), Map.of("memoryBytes", 8 << 20));
                awaitGrant(client, id, "/told", "true");
                MachineFiller.fill(machine, 5);
                awaitGrant(client, id, "/use/sessions", "1");
                assertTrue(grant(client, id).at("/use/lastSeen").isTextual());
                Await.until(
                        () -> grant(client, id).toString(),
                        () -> grant(client, id).at("/use/engineNanos").asLong() > 0);
                client.delete(path + "/grants/" + hash());
                awaitGrant(client, id, "/use/sessions", "0");
                RuntimeException over = assertThrows(
                        RuntimeException.class, () -> machine.ones(1).sum().itemDouble());
                assertTrue(over.getMessage().contains("the grant was revoked"), over::getMessage);
            }
            assertNoSecretIsLogged(backend, id);
            client.post(path + ":end", Map.of());
        }
    }

    /** The backend's log, and that of the machine. */
    private void assertNoSecretIsLogged(BackendHost backend, String id) throws IOException {
        String logged = backend.errors()
                + String.join(
                        "\n",
                        backend.provider()
                                .keeper()
                                .orElseThrow()
                                .logs(id, false)
                                .collect()
                                .asList()
                                .await()
                                .indefinitely());
        String management = Files.readString(folder.resolve("management-key")).strip();
        for (String secret : List.of(TOKEN, backend.access().key(), management)) {
            assertFalse(logged.contains(secret), logged);
        }
    }
}
