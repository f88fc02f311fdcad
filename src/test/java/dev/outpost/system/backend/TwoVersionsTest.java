package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.outpost.BackendClient;
import dev.outpost.system.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica of the version before and one of this version on one database, as in an upgrade. The jar of the version before is named by
 * {@code -Doutpost.backend.previous.jar}.
 */
class TwoVersionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String[] QUICK = {"OUTPOST_BACKEND_OBSERVE_EVERY", "1s", "OUTPOST_BACKEND_LOCK", "3s"};

    @TempDir
    Path folder;

    @Test
    @Tag("full")
    void replicasOfTwoVersionsShareTheWork() {
        Optional<Path> jar = Optional.ofNullable(System.getProperty("outpost.backend.previous.jar"))
                .map(Path::of);
        assumeTrue(
                jar.filter(Files::isRegularFile).isPresent(),
                "outpost.backend.previous.jar names no jar of the version before");
        try (BackendHost old = BackendHost.ofJar(jar.get(), folder.resolve("old"), QUICK)) {
            String first = start(old.client());
            awaitState(old.client(), first, "READY");
            try (BackendHost next = BackendHost.beside(old, folder.resolve("next"), folder.resolve("old"), QUICK)) {
                awaitState(next.client(), first, "READY");
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
                end(next.client(), first);
                awaitState(old.client(), first, "ENDED");
            }
        }
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
        Eventually.that(
                () -> client.get("/v1/machines/" + id).toString(),
                PATIENCE,
                () -> client.get("/v1/machines/" + id).path("state").asText().equals(state));
    }
}
