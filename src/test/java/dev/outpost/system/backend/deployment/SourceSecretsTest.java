package dev.outpost.system.backend.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.SharedAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.server.RuntimeCommandLine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secret of a project gives access to a source on a machine that was requested with it, and is visible nowhere else. */
class SourceSecretsTest {
    private static final Duration TIMEOUT = Await.GUARD;
    private static final String TOKEN = "hf_that_nobody_may_read";

    @TempDir
    Path folder;

    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private HttpServer hub;

    /** A hub that accepts nobody, and records the callers. */
    @BeforeEach
    void openHub() throws IOException {
        hub = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        hub.createContext("/", exchange -> {
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        hub.start();
    }

    @AfterEach
    void closeHub() {
        hub.stop(0);
    }

    @Test
    void secretOpensASourceAndIsSeenNowhereElse() {
        String flags = String.join(" ", RuntimeCommandLine.flags()) + " -Doutpost.runtime.sources=hf://org"
                + " -Dhf.endpoint=http://127.0.0.1:" + hub.getAddress().getPort();
        try (BackendHost backend =
                BackendHost.start(folder, "OUTPOST_BACKEND_OBSERVE_EVERY", "1s", "OUTPOST_PROCESS_FLAGS", flags)) {
            BackendClient client = backend.client();
            client.put("/v1/secrets/HF_TOKEN", Map.of("value", TOKEN));
            String with = start(client, Map.of("gpu", "any", "life", "PT10M", "secrets", List.of("HF_TOKEN")));
            String without = start(client, Map.of("gpu", "any", "life", "PT10M"));
            String text = refusal(backend, with) + refusal(backend, without);
            assertEquals(List.of("Bearer " + TOKEN, "null"), authorizations);
            assertTrue(text.contains("the token gives no access to it"), text);
            assertTrue(text.contains("HF_TOKEN is not set"), text);
            String seen = text
                    + client.get("/v1/machines/" + with)
                    + client.get("/v1/machines/" + with + "/events")
                    + client.get("/v1/machines/" + with + "/grants")
                    + client.get("/v1/machines/" + with + "/instructions")
                    + client.get("/v1/secrets")
                    + client.get("/v1/audit")
                    + backend.errors();
            assertFalse(seen.contains(TOKEN), seen);
        }
    }

    private static String start(BackendClient client, Map<String, ?> request) {
        String id = UUID.randomUUID().toString();
        String path = "/v1/machines/" + id;
        client.put(path, request);
        Await.until(
                () -> client.get(path).toString(),
                () -> client.get(path).path("state").asText().equals("READY"));
        return id;
    }

    private static String refusal(BackendHost backend, String id) {
        SharedAccess access = backend.provider()
                .keeper()
                .orElseThrow()
                .share(id, GrantTerms.ALL)
                .await()
                .atMost(TIMEOUT);
        try (RemoteMachine machine = RemoteMachine.connect(access.endpoint(), new MachineOptions())) {
            return assertThrows(RuntimeException.class, () -> machine.open("hf://org/tiny"))
                    .getMessage();
        }
    }
}
