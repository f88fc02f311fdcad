package dev.outpost.system.backend.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program requests another machine whenever one fails, at two replicas in turn: each counts the failures of both. */
@Tag("full")
class BreakerOfTwoReplicasTest {
    @TempDir
    Path folder;

    private static String ask(BackendClient client) {
        String path = "/v1/machines/" + UUID.randomUUID();
        client.put(path, Map.of("gpu", "any", "life", "PT10M"));
        return path;
    }

    private static void awaitFailure(BackendClient client, String path) {
        Await.until(
                () -> client.get(path).toString(),
                () -> client.get(path).path("state").asText().equals("ENDED"));
        assertEquals(
                "FAILED",
                client.get(path).path("endReason").asText(),
                () -> client.get(path).toString());
    }

    @Test
    void failuresAtOneReplicaStopRequestsAtTheOther() throws IOException {
        Path noProgram = Files.write(folder.resolve("none.jar"), new byte[0]);
        String[] variables = {
            "OUTPOST_PROCESS_JAR",
            noProgram.toString(),
            "OUTPOST_BACKEND_MOST_FAILURES",
            "2",
            "OUTPOST_BACKEND_OBSERVE_EVERY",
            "1s"
        };
        Path home = folder.resolve("first");
        try (BackendHost first = BackendHost.start(home, variables);
                BackendHost second = BackendHost.beside(first, folder.resolve("second"), home, variables)) {
            awaitFailure(first.client(), ask(first.client()));
            awaitFailure(second.client(), ask(second.client()));
            for (BackendHost replica : new BackendHost[] {first, second}) {
                BackendException refused = assertThrows(BackendException.class, () -> ask(replica.client()));
                assertEquals("too-many-requests", refused.code());
                assertTrue(
                        refused.getMessage().contains("2 of its machines failed within 10 min"), refused.getMessage());
            }
        }
    }
}
