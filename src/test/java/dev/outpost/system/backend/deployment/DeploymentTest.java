package dev.outpost.system.backend.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.GatewayProcess;
import dev.outpost.system.backend.host.SharedBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a backend, a gateway and replicas on this host, each as it is shipped. */
class DeploymentTest {
    private static final Path FIXTURE = Path.of("..", "..", "models", "src", "test", "resources", "fixtures", "text");

    @TempDir
    Path folder;

    private static BackendHost backend() {
        return SharedBackend.tenant();
    }

    /** A backend whose operator is the test. */
    private BackendHost backendAlone() {
        return BackendHost.start(
                folder.resolve("backend"),
                "OUTPOST_PROCESS_SOURCES",
                "file:" + folder,
                "OUTPOST_BACKEND_OBSERVE_EVERY",
                "1s");
    }

    private String copied(String name) {
        try {
            Path copy = Files.createDirectory(folder.resolve(name));
            try (Stream<Path> files = Files.list(FIXTURE)) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
            return name;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void awaitThat(BackendHost backend, BooleanSupplier condition) {
        Await.until(() -> deployment(backend).toString() + backend.errors(), condition::getAsBoolean);
    }

    private Map<String, Object> wish(String model, int min, String idle) {
        return Map.of("model", "file:" + folder + "/" + model, "min", min, "max", 2, "idle", idle);
    }

    private static JsonNode deployment(BackendHost backend) {
        return backend.client().get("/v1/deployments/chat");
    }

    @Test
    void deploymentScalesFromZeroToOneAndBack() {
        try (BackendHost backend = backend();
                GatewayProcess gateway = GatewayProcess.start(backend.access())) {
            String key = backend.access().key();
            backend.client().put("/v1/deployments/chat", wish(copied("first"), 0, "PT5S"));

            assertEquals(401, gateway.complete("", "chat", 4).statusCode());
            assertEquals(401, gateway.complete(key + "x", "chat", 4).statusCode());
            assertEquals(404, gateway.complete(key, "other", 4).statusCode());
            assertEquals(
                    401, gateway.complete(SharedBackend.foreignKey(), "chat", 4).statusCode());
            assertEquals(0, machines(backend).size(), "refused requests start nothing");

            // This request is held while the first replica starts.
            HttpResponse<String> first = gateway.complete(key, "chat", 4);
            assertEquals(200, first.statusCode(), () -> first.body() + gateway.errors());
            assertEquals(1, machines(backend).size());
            assertTrue(gateway.models(key).contains("\"chat\""));
            awaitThat(backend, () -> deployment(backend).has("zeroToToken"));

            awaitThat(backend, () -> machines(backend).size() == 0);
            assertEquals(0, deployment(backend).path("wanted").asInt());
            JsonNode ended = backend.client()
                    .get("/v1/machines?ended=true")
                    .path("items")
                    .path(0);
            assertEquals("REQUESTED", ended.path("endReason").asText());

            assertEquals(200, gateway.complete(key, "chat", 4).statusCode(), "it starts again");
        }
    }

    @Test
    @Tag("full")
    void streamsEndWholeWhileARevisionRollsAndABadOneIsRolledBack() throws ExecutionException, InterruptedException {
        try (BackendHost backend = backend();
                GatewayProcess gateway = GatewayProcess.start(backend.access());
                Callers callers = new Callers(gateway, backend.access().key())) {
            backend.client().put("/v1/deployments/chat", wish(copied("first"), 1, "PT1M"));
            callers.start(4);
            awaitThat(backend, () -> deployment(backend).path("proven").asInt() == 1);
            backend.client().put("/v1/deployments/chat", wish(copied("second"), 1, "PT1M"));
            awaitThat(backend, () -> deployment(backend).path("proven").asInt() == 2);
            awaitThat(backend, () -> deployment(backend).path("replicas").size() == 1);

            backend.client().put("/v1/deployments/chat", wish("no-such-model", 1, "PT1M"));
            awaitThat(backend, () -> deployment(backend).path("revision").asInt() == 2);
            assertFalse(deployment(backend)
                    .path("revisions")
                    .path(2)
                    .path("failure")
                    .asText()
                    .isEmpty());
            callers.stop();
        }
    }

    @Test
    void requestsAreToldWhyNoReplicaStarts() {
        try (BackendHost backend = backend();
                GatewayProcess gateway = GatewayProcess.start(backend.access())) {
            backend.client().put("/v1/deployments/chat", wish("no-such-model", 0, "PT1S"));
            HttpResponse<String> refused = complete(backend, gateway);
            assertEquals(503, refused.statusCode(), refused.body());
            assertTrue(refused.body().contains("no-such-model"), refused.body());
        }
    }

    /** If there is no answer, the failure also contains the backend's data of the deployment. */
    private static HttpResponse<String> complete(BackendHost backend, GatewayProcess gateway) {
        try {
            return gateway.complete(backend.access().key(), "chat", 4);
        } catch (AssertionError failure) {
            throw new AssertionError("the deployment is " + deployment(backend) + "\n" + backend.errors(), failure);
        }
    }

    @Test
    @Tag("full")
    void textsAreBilledByTheKeyAndHeldToAQuota() {
        try (BackendHost backend = backendAlone();
                GatewayProcess gateway = GatewayProcess.start(backend.access())) {
            String key = backend.access().key();
            backend.client().put("/v1/token-prices", Map.of("model", "chat", "perMillionNew", 2));
            backend.client().put("/v1/deployments/chat", wish(copied("first"), 1, "PT1M"));
            assertEquals(200, gateway.complete(key, "chat", 4).statusCode());
            awaitThat(backend, () -> bill(backend).path("items").size() == 1);
            JsonNode used = bill(backend).path("items").path(0);
            assertEquals("chat", used.path("model").asText());
            assertEquals(1, used.path("texts").asInt());
            assertEquals(4, used.path("newTokens").asInt());
            assertTrue(used.path("promptTokens").asInt() > 0, used::toString);
            assertEquals(4 * 2000, bill(backend).path("totalNanos").asLong());

            backend.client().put("/v1/quotas", Map.of("resource", "TOKENS_PER_MONTH", "allowed", 1));
            // A gateway caches the data of a key for half a minute.
            awaitThat(backend, () -> gateway.complete(key, "chat", 1).statusCode() == 429);
            assertTrue(gateway.complete(key, "chat", 1).body().contains("insufficient_quota"));
        }
    }

    private static JsonNode bill(BackendHost backend) {
        return backend.client().get("/v1/token-usage");
    }

    private static JsonNode machines(BackendHost backend) {
        return backend.client().get("/v1/machines").path("items");
    }

    /** Requests streams one after the other, and checks that each ends completely. */
    private static final class Callers implements AutoCloseable {
        private static final int TOKENS = 40;

        private final GatewayProcess gateway;
        private final String key;
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Future<Integer>> running = new ArrayList<>();
        private volatile boolean isOver;

        Callers(GatewayProcess gateway, String key) {
            this.gateway = gateway;
            this.key = key;
        }

        void start(int count) {
            for (int i = 0; i < count; i++) {
                running.add(threads.submit(this::ask));
            }
        }

        private int ask() {
            int asked = 0;
            while (!isOver) {
                HttpResponse<String> answer = gateway.stream(key, "chat", TOKENS);
                assertEquals(200, answer.statusCode(), () -> answer.body() + gateway.errors());
                assertTrue(answer.body().contains("\"length\"") && answer.body().contains("[DONE]"), answer.body());
                asked++;
            }
            return asked;
        }

        void stop() throws ExecutionException, InterruptedException {
            isOver = true;
            for (Future<Integer> one : running) {
                assertTrue(one.get() > 0);
            }
        }

        @Override
        public void close() {
            isOver = true;
            threads.close();
        }
    }
}
