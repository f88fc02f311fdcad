package dev.outpost.system.backend.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a replica of the previous version and one of this version on one database, as in an upgrade, and then the previous version again.
 * {@code -Doutpost.backend.previous.jar} is the jar of the previous version.
 */
@Tag("full")
class TwoVersionsTest {
    private static final String WEBHOOK = "0f8fad5b-d9cb-469f-a165-70867728950e";
    private static final String[] QUICK = {
        "OUTPOST_BACKEND_OBSERVE_EVERY",
        "1s",
        "OUTPOST_BACKEND_LOCK",
        "3s",
        "OUTPOST_BACKEND_PRIVATE_ENDPOINTS",
        "127.0.0.0/8",
        // The name in the previous version.
        "OUTPOST_BACKEND_PRIVATE_WEBHOOKS",
        "true"
    };

    @TempDir
    Path folder;

    private static Path previous() {
        Optional<Path> jar = Optional.ofNullable(System.getProperty("outpost.backend.previous.jar"))
                .map(Path::of);
        assumeTrue(
                jar.filter(Files::isRegularFile).isPresent(),
                "outpost.backend.previous.jar names no jar of the version before");
        return jar.get();
    }

    @Test
    void replicasOfTwoVersionsShareTheWork() {
        try (BackendHost old = BackendHost.ofJar(previous(), folder.resolve("old"), QUICK)) {
            String first = start(old.client());
            awaitState(old.client(), first, "READY");
            set(old.client());
            try (BackendHost next = BackendHost.beside(old, folder.resolve("next"), folder.resolve("old"), QUICK)) {
                awaitState(next.client(), first, "READY");
                assertSeesWhatWasSet(next.client());
                String byOld = start(old.client());
                String byNext = start(next.client());
                awaitState(next.client(), byOld, "READY");
                awaitState(old.client(), byNext, "READY");
                try (RemoteMachine machine = RemoteMachine.attach(old.provider(), byNext, new MachineOptions())) {
                    assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
                }
                end(next.client(), byOld);
                end(old.client(), byNext);
                awaitState(old.client(), byOld, "ENDED");
                awaitState(next.client(), byNext, "ENDED");
                set(next.client());
                assertSeesWhatWasSet(old.client());
                end(next.client(), first);
                awaitState(old.client(), first, "ENDED");
            }
        }
    }

    @Test
    void versionBeforeStartsAgainOnTheMigratedDatabase() {
        Path data = folder.resolve("data");
        String id;
        try (BackendHost old = BackendHost.ofJar(previous(), data, QUICK)) {
            id = start(old.client());
            awaitState(old.client(), id, "READY");
            set(old.client());
        }
        try (BackendHost next = BackendHost.start(data, QUICK)) {
            awaitState(next.client(), id, "READY");
            assertSeesWhatWasSet(next.client());
        }
        // Versions whose schema ends before number 26 need this setting.
        String[] goingBack = Stream.concat(
                        Stream.of(QUICK), Stream.of("QUARKUS_FLYWAY_IGNORE_MIGRATION_PATTERNS", "*:future"))
                .toArray(String[]::new);
        try (BackendHost old = BackendHost.ofJar(previous(), data, goingBack)) {
            awaitState(old.client(), id, "READY");
            assertSeesWhatWasSet(old.client());
            String another = start(old.client());
            awaitState(old.client(), another, "READY");
            end(old.client(), another);
            end(old.client(), id);
            awaitState(old.client(), id, "ENDED");
        }
    }

    /** Can be repeated. */
    private static void set(BackendClient client) {
        client.put("/v1/deployments/chat", Map.of("model", "file:/models/chat", "max", 3));
        client.put("/v1/pools/warm", Map.of("gpu", "A100", "min", 1, "max", 2, "paused", true));
        client.put("/v1/budgets", Map.of("period", "LIFETIME", "cap", 1000));
        client.put("/v1/webhooks/" + WEBHOOK, Map.of("url", "http://127.0.0.1:9/hook"));
    }

    private static void assertSeesWhatWasSet(BackendClient client) {
        assertEquals(3, client.get("/v1/deployments/chat").path("max").asInt());
        assertTrue(client.get("/v1/pools/warm").path("paused").asBoolean());
        assertEquals(
                1000,
                client.get("/v1/budgets").path("items").path(0).path("cap").asInt());
        assertEquals(
                WEBHOOK,
                client.get("/v1/webhooks").path("items").path(0).path("id").asText());
    }

    private static String start(BackendClient client) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT10M"));
        return id;
    }

    private static void end(BackendClient client, String id) {
        client.post("/v1/machines/" + id + ":end", Map.of());
    }

    private static void awaitState(BackendClient client, String id, String state) {
        Await.until(
                () -> client.get("/v1/machines/" + id).toString(),
                () -> client.get("/v1/machines/" + id).path("state").asText().equals(state));
    }
}
