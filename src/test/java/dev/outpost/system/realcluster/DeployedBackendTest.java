package dev.outpost.system.realcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.examples.DigitsTraining;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.FileUpload;
import dev.outpost.system.backend.host.GatewayProcess;
import dev.outpost.system.backend.job.JobProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the deployment of the manifests of backend, relay and serving on a cluster. */
@Tag("real-cluster")
class DeployedBackendTest {
    private static final List<String> OVER = List.of("SUCCEEDED", "FAILED", "CANCELLED");

    private static DeployedBackend backend;

    @TempDir
    private Path folder;

    @BeforeAll
    static void deploy() {
        backend = DeployedBackend.open();
    }

    @Test
    void trainingReachesItsAccuracyThroughARelay() {
        List<DigitsTraining.Epoch> epochs = new ArrayList<>();
        try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
            new DigitsTraining(machine, 0).run(30, epochs::add);
        }
        assertTrue(epochs.getLast().accuracy() >= 0.97, epochs::toString);
        backend.awaitNothingLeft();
    }

    @Test
    void backendIsReadyWithoutAComplaint() throws IOException, InterruptedException {
        assertTrue(backend.scripts
                .run(
                        "client",
                        "curl",
                        "--silent",
                        "--fail",
                        "--cacert",
                        backend.environment().get("OUTPOST_API_CA"),
                        backend.environment().get("OUTPOST_API") + "/q/health/ready")
                .contains("\"UP\""));
        JsonNode cluster = backend.client().get("/v1/clusters/here");
        assertEquals("ACTIVE", cluster.path("state").asText(), cluster::toString);
    }

    @Test
    void servingCompletesATextForItsKeyOnly() throws IOException, InterruptedException {
        HttpResponse<String> answer = complete(backend.servingKey());
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(
                5,
                new JsonMapper()
                        .readTree(answer.body())
                        .path("usage")
                        .path("completion_tokens")
                        .asInt());
        assertEquals(401, complete("other").statusCode());
    }

    private HttpResponse<String> complete(String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(backend.servingAddress() + "/v1/completions"))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"model\": \"text\", \"prompt\": \"x\", \"max_tokens\": 5, \"ignore_eos\": true}"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void jobComputesAndLeavesItsLogAndFiles() throws IOException {
        BackendClient client = backend.client();
        client.put("/v1/secrets/HF_TOKEN", Map.of("value", "0123456789"));
        String program = FileUpload.send(client, ShadedJar.write(folder.resolve("app.jar"), JobProgram.class));
        String id = submit(program, "compute", List.of("HF_TOKEN"));
        awaitPhase(id, "SUCCEEDED");
        String log = log(id);
        assertTrue(log.contains("run 1") && log.contains("sum 6.0") && log.contains("secret of 10 characters"), log);
        assertEquals(
                "models/weights.txt",
                client.get("/v1/jobs/" + id + "/artefacts").path(0).path("path").asText());

        String failing = submit(program, "fail", List.of());
        awaitPhase(failing, "FAILED");
        assertEquals(3, job(failing).path("exitCode").asInt());

        String waiting = submit(program, "wait", List.of());
        backend.await(() -> job(waiting).toString(), () -> log(waiting).contains("it waits"));
        client.post("/v1/jobs/" + waiting + ":cancel", Map.of());
        awaitPhase(waiting, "CANCELLED");
        backend.awaitNothingLeft();
    }

    private static String submit(String program, String argument, List<String> secrets) {
        String id = UUID.randomUUID().toString();
        backend.client()
                .put(
                        "/v1/jobs/" + id,
                        Map.of(
                                "gpu",
                                "any",
                                "program",
                                program,
                                "programName",
                                "app.jar",
                                "arguments",
                                List.of(argument),
                                "secrets",
                                secrets));
        return id;
    }

    private static JsonNode job(String id) {
        return backend.client().get("/v1/jobs/" + id);
    }

    private static String log(String id) {
        return new String(backend.client().slice("/v1/jobs/" + id + "/log").bytes(), StandardCharsets.UTF_8);
    }

    private static void awaitPhase(String id, String phase) {
        backend.await(
                () -> job(id) + log(id),
                () -> OVER.contains(job(id).path("phase").asText()));
        assertEquals(phase, job(id).path("phase").asText(), () -> job(id) + log(id));
    }

    @Test
    void machineOfAPoolIsThereAtOnceAndIsReplaced() {
        backend.client().put("/v1/pools/warm", Map.of("gpu", "any", "min", 1));
        try {
            awaitWarm();
            String waiting = member();
            try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
                backend.await(() -> pool().toString(), () -> !member().equals(waiting) && !member().isEmpty());
            }
        } finally {
            backend.client().delete("/v1/pools/warm");
        }
        backend.awaitNothingLeft();
    }

    private static void awaitWarm() {
        backend.await(
                () -> pool().toString(),
                () -> pool().path("members").findValuesAsText("phase").contains("READY"));
    }

    private static JsonNode pool() {
        return backend.client().get("/v1/pools/warm");
    }

    private static String member() {
        return pool().path("members").path(0).path("machine").asText();
    }

    @Test
    void deploymentStartsFromZeroAndEnds() {
        BackendClient client = backend.client();
        client.put(
                "/v1/deployments/chat",
                Map.of("model", "file:/models/text", "gpu", "any", "min", 0, "max", 1, "idle", "PT5S"));
        try (GatewayProcess gateway = GatewayProcess.start(backend.access())) {
            HttpResponse<String> answer = gateway.complete(backend.access().key(), "chat", 4);
            assertEquals(200, answer.statusCode(), () -> answer.body() + gateway.errors());
            backend.await(
                    () -> backend.machines().toString(),
                    () -> backend.machines().isEmpty());
        } finally {
            client.delete("/v1/deployments/chat");
        }
        backend.awaitNothingLeft();
    }
}
