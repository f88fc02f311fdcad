package dev.outpost.system.backend.job;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.TwoClusters;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job whose runner, in a pod of a cluster, cannot reach the backend. */
@Tag("full")
class SilentRunnerTest {
    /** Nothing listens there. */
    private static final String NOWHERE = "http://127.0.0.1:1";

    @TempDir
    private Path folder;

    @Test
    void jobShowsWhatTheRunnerSaysAndFailsAndItsMachineIsEnded() throws Exception {
        Await.withEnoughTime(Duration.ofSeconds(30), this::failsWithin);
    }

    private void failsWithin(Duration startTimeout) throws Exception {
        Path own = folder.resolve(startTimeout.toString());
        java.nio.file.Files.createDirectories(own);
        try (TwoClusters clusters = TwoClusters.start(
                own,
                "OUTPOST_BACKEND_JOBS_ADDRESS",
                NOWHERE,
                "OUTPOST_BACKEND_JOBS_START_TIMEOUT",
                startTimeout.toSeconds() + "s")) {
            clusters.east.runWith(new JobPodRunner());
            clusters.set("east", "ACTIVE");
            BackendClient client = clusters.client();
            String job = submit(client);
            Await.until(
                    () -> job(client, job).toString(),
                    () -> job(client, job).path("phase").asText().equals("FAILED"));
            String text = job(client, job).path("text").asText();
            assertTrue(text.startsWith("its runner did not reach the backend within PT"), text);
            assertTrue(text.contains("it said: cannot reach the backend at " + NOWHERE), text);
            Await.until(
                    () -> client.get("/v1/machines").toString(),
                    () -> client.get("/v1/machines").path("items").isEmpty());
        }
    }

    private static JsonNode job(BackendClient client, String id) {
        return client.get("/v1/jobs/" + id);
    }

    /** No program is started, so the file need not be one. */
    private static String submit(BackendClient client) throws Exception {
        byte[] program = {1};
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(program));
        client.putBytes("/v1/files/" + hash + "?size=1&from=0", program);
        String id = UUID.randomUUID().toString();
        client.put("/v1/jobs/" + id, Map.of("gpu", "A100", "program", hash, "programName", "app.jar"));
        return id;
    }
}
