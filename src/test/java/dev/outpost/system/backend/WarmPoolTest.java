package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool whose machines are processes on this host. */
class WarmPoolTest {
    @TempDir
    Path folder;

    private static JsonNode pool(BackendHost backend) {
        return backend.client().get("/v1/pools/warm");
    }

    private static long ready(BackendHost backend) {
        return pool(backend).path("members").findValuesAsText("phase").stream()
                .filter("READY"::equals)
                .count();
    }

    private static void awaitReady(BackendHost backend) {
        Await.until(() -> pool(backend) + backend.errors(), () -> ready(backend) == 1);
    }

    @Test
    void clientComputesOnAMachineThatWaited() {
        try (BackendHost backend =
                BackendHost.start(folder.resolve("backend"), "OUTPOST_BACKEND_OBSERVE_EVERY", "1s")) {
            backend.client().put("/v1/pools/warm", Map.of("gpu", "any", "min", 1));
            awaitReady(backend);
            String member =
                    pool(backend).path("members").path(0).path("machine").asText();
            String id;
            try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
                JsonNode own = backend.client().get("/v1/machines").path("items");
                assertEquals(1, own.size());
                id = own.path(0).path("id").asText();
                JsonNode events =
                        backend.client().get("/v1/machines/" + id + "/events").path("items");
                assertEquals("BIND", events.path(1).path("phase").asText(), events::toString);
                awaitReady(backend);
                assertEquals(
                        false,
                        member.equals(pool(backend)
                                .path("members")
                                .path(0)
                                .path("machine")
                                .asText()));
            }
            Await.until(
                    () -> backend.client().get("/v1/machines/" + id).toString(),
                    () -> backend.client()
                            .get("/v1/machines/" + id)
                            .path("state")
                            .asText()
                            .equals("ENDED"));
        }
    }

    @Test
    @Tag("full")
    void machineThatWaitsOutlivesItsLease() {
        try (BackendHost backend = BackendHost.start(folder.resolve("backend"))) {
            backend.client().put("/v1/pools/warm", Map.of("gpu", "any", "min", 1, "lease", "PT15S"));
            awaitReady(backend);
            JsonNode member = pool(backend).path("members").path(0);
            Instant enough = Instant.parse(member.path("since").asText()).plusSeconds(40);
            Await.until("40 s are over", () -> Instant.now().isAfter(enough));
            assertEquals(member, pool(backend).path("members").path(0));
        }
    }
}
