package dev.outpost.system.backend.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.SmallJar;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a job of a tenant on the local cluster of a backend with default settings. */
class HostileJobTest {
    private static final int PORT_LINE = 3;

    @TempDir
    private Path folder;

    @Test
    void jobOfATenantReachesNothingOfTheOperatorsOrOfOthers() throws Exception {
        Path data = folder.resolve("backend");
        try (BackendHost backend = BackendHost.start(
                data, HostileProgram.SECRET, "of the operator", "AWS_SECRET_ACCESS_KEY", "of the operator")) {
            BackendClient acme = backend.tenant("acme").client();
            String victim = machine(acme);
            BackendClient mallory = backend.tenant("mallory").client();
            String postgres = Files.readAllLines(data.resolve("postgres/database/postmaster.pid"))
                    .get(PORT_LINE)
                    .strip();
            String job = submit(
                    mallory,
                    List.of(
                            data.toString(),
                            Long.toString(backend.pid()),
                            backend.access().address().toString(),
                            postgres,
                            "machines/outpost-" + victim + "-1"));
            assertTrue(Files.exists(data.resolve("machines/outpost-" + victim + "-1")), "the victim's folder");
            Await.until(
                    () -> mallory.get("/v1/jobs/" + job) + backend.errors(),
                    () -> List.of("SUCCEEDED", "FAILED")
                            .contains(
                                    mallory.get("/v1/jobs/" + job).path("phase").asText()));
            String log = new String(mallory.slice("/v1/jobs/" + job + "/log").bytes(), StandardCharsets.UTF_8);
            assertTrue(log.endsWith("all was tried\n"), log);
            assertEquals(
                    List.of(),
                    log.lines().filter(line -> line.startsWith("SUCCEEDED")).toList(),
                    log);
            acme.post("/v1/machines/" + victim + ":end", Map.of());
            for (BackendClient client : List.of(acme, mallory)) {
                Await.until(
                        () -> client.get("/v1/machines").toString(),
                        () -> client.get("/v1/machines").path("items").isEmpty());
            }
        }
    }

    private static String machine(BackendClient client) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT1H"));
        Await.until(
                () -> client.get("/v1/machines/" + id).toString(),
                () -> client.get("/v1/machines/" + id).path("state").asText().equals("READY"));
        return id;
    }

    private static String submit(BackendClient client, List<String> arguments) throws Exception {
        byte[] program = SmallJar.of(HostileProgram.class);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(program));
        JsonNode sent = client.putBytes("/v1/files/" + hash + "?size=" + program.length + "&from=0", program);
        assertTrue(sent.path("complete").asBoolean());
        String id = UUID.randomUUID().toString();
        client.put(
                "/v1/jobs/" + id,
                Map.of("gpu", "any", "program", hash, "programName", "app.jar", "arguments", arguments));
        return id;
    }
}
